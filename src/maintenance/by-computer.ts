/** Sorts entries by the computer that they belong to, in their order. */
export function byComputer<Entry extends { computerId: string }>(
  entries: readonly Entry[],
): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.computerId);
    if (group) group.push(entry);
    else groups.set(entry.computerId, [entry]);
  }
  return groups;
}
