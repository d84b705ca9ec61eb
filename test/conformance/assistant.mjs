// The assistant that the kit talks to: a program of the daemon's command runtime. What it does depends on how the
// id of the message begins, as the kit's scenarios ask; everything else it completes with the same greeting.
const id = process.env.HELLO_MESSAGE_ID ?? '';

if (id.startsWith('tck-reject-task')) {
  console.error('rejected');
  process.exitCode = 1;
} else if (id.startsWith('tck-input-required')) {
  // Jobs of the 1.0 endpoint may not stop for a question: such a job ends as failed, with an explanation.
  console.error('This needs an answer, and nobody can give one here.');
  process.exitCode = 1;
} else {
  console.log(textFor(id));
}

function textFor(messageId) {
  if (messageId.startsWith('tck-artifact-text')) return 'Generated text content';
  if (messageId.startsWith('tck-message-response')) return 'Direct message response';
  return 'Hello from TCK';
}
