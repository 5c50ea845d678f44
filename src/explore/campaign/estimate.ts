/**
 * What is left to discover, by Good and Turing: of the runs so far, the share that looked as none had before is the chance
 * that the next one looks new.
 */

export interface DiscoveryEstimate {
  /** Runs that were counted. */
  readonly runs: number
  /** Runs that look different from each other, by abstract signature. */
  readonly species: number
  /** Probability that the next run has a signature that no run had; 1 before the first run. */
  readonly newProbability: number
}

export function estimateDiscovery(signatures: ReadonlyMap<string, number>): DiscoveryEstimate {
  let runs = 0
  let singletons = 0
  for (const count of signatures.values()) {
    runs += count
    if (count === 1) singletons++
  }
  return { runs, species: signatures.size, newProbability: runs === 0 ? 1 : singletons / runs }
}
