/**
 * Versions of the protocol. The documents write them in more than one way (V2, V2.0.0), so they are compared by their
 * leading number, with a V before it or without (MIG-UND-01).
 */

/** The leading number of a version; undefined when there is none. */
export function generationOf(version: string): number | undefined {
  const digits = /^\s*v?\s*(\d{1,6})(?!\d)/i.exec(version)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

const same = (one: string, other: string): boolean =>
  one === other || (generationOf(one) !== undefined && generationOf(one) === generationOf(other))

/** A consumer activates an integration only where both sides speak a version (MIG-VER-03): ours, of those they speak. */
export const commonVersion = (
  ours: readonly string[],
  theirs: readonly string[],
): string | undefined => ours.find((version) => theirs.some((each) => same(version, each)))
