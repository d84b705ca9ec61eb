// A sample assistant for the `command` runtime: reads the message on stdin, writes the reply to stdout.
let text = '';
for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
process.stdout.write(text.toUpperCase());
