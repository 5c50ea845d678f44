/**
 * Comparison of protocol versions. The documents write them in several forms (V2, V2.0.0), so versions are equal when
 * their major numbers are equal, with or without a leading V (MIG-UND-01).
 */

/** The major number of a version; undefined when there is none. */
export function majorVersionOf(version: string): number | undefined {
  const digits = /^\s*v?\s*(\d{1,6})(?!\d)/i.exec(version)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

const isSameVersion = (one: string, other: string): boolean =>
  one === other ||
  (majorVersionOf(one) !== undefined && majorVersionOf(one) === majorVersionOf(other))

/**
 * The first of our versions that the other side supports too: without one, an integration must not be activated
 * (MIG-VER-03).
 */
export const commonVersion = (
  ours: readonly string[],
  theirs: readonly string[],
): string | undefined => ours.find((version) => theirs.some((each) => isSameVersion(version, each)))
