/** One text part of a message or an artifact; the only kind that this product carries (requirement S4). */
export interface TextPart {
  text: string;
  filename?: string;
  mediaType?: string;
  metadata?: Record<string, unknown>;
}

/** A message in the neutral form in which it is stored; both wires are made from it. */
export interface Message {
  messageId: string;
  role: 'user' | 'agent';
  parts: TextPart[];
  metadata?: Record<string, unknown>;
}

/** What a message says, as one text: its parts, one a line. */
export function messageText(message: Pick<Message, 'parts'>): string {
  return message.parts.map((part) => part.text).join('\n');
}
