/**
 * How much may come of compressed data. Real traffic shrinks to a hundredth at most; a file that shrinks to less than a
 * five-hundredth was made to fill memory or disks.
 */
export interface ExpansionLimits {
  /** Bytes that may come of anything. */
  readonly freeBytes: number
  /** Beyond them, how many may come of one. */
  readonly maxRatio: number
}

export const defaultExpansionLimits: ExpansionLimits = {
  freeBytes: 64 * 1024 * 1024,
  maxRatio: 500,
}

export const maxExpandedBytes = (
  packedBytes: number,
  { freeBytes, maxRatio }: ExpansionLimits,
): number => Math.max(freeBytes, packedBytes * maxRatio)

export const expansionSentence = ({ maxRatio }: ExpansionLimits): string =>
  `it unpacks to more than ${maxRatio} times its size`
