/** Tries one mutant: its tests in turn, until one fails or the time is over. */
import type { ScratchCopy } from './scratch-copy.ts'

export interface Trial {
  readonly path: string
  readonly original: string
  readonly mutated: string
}

export interface Outcome {
  readonly outcome: 'killed' | 'timed out' | 'survived' | 'refused by the compiler'
  /** The test file that fails, for a mutant that is killed. */
  readonly by?: string
  /** How many related test files there are, and how many of them ran. */
  readonly related: number
  readonly ran: number
}

/** What is known about test files from one trial to the next. */
export interface TestKnowledge {
  readonly durations: Map<string, number>
  /** The test files that pass, and those that fail, without any mutant. */
  readonly sound: Set<string>
  readonly unsound: Set<string>
}

/** A test file that never ran is expected to take so long. */
const unknownMs = 1500

const expectedMs = (files: readonly string[], { durations }: TestKnowledge): number =>
  files.reduce((sum, file) => sum + (durations.get(file) ?? unknownMs), 0)

/** Vitest's own start, and slow machines: only a mutant that loops runs into this. */
const timeoutOf = (expected: number): number => 45_000 + 6 * expected

/** The first batch is small, because most mutants die of the nearest test; each later batch is larger. */
function nextBatch(files: readonly string[], budgetMs: number, knowledge: TestKnowledge): number {
  let count = 1
  while (count < files.length && expectedMs(files.slice(0, count + 1), knowledge) <= budgetMs)
    count++
  return count
}

export async function tryMutant(
  copy: ScratchCopy,
  { path, original, mutated }: Trial,
  context: {
    /** The test files that may notice it, the likeliest first. */
    readonly tests: readonly string[]
    readonly knowledge: TestKnowledge
    /** They run as long as this allows. */
    readonly limitMs: number
  },
): Promise<Outcome> {
  const { tests, knowledge, limitMs } = context
  const isSound = async (file: string): Promise<boolean> => {
    if (knowledge.sound.has(file)) return true
    copy.write(path, original)
    const { outcome } = await copy.test([file], timeoutOf(60_000))
    copy.write(path, mutated)
    knowledge[outcome === 'passed' ? 'sound' : 'unsound'].add(file)
    return outcome === 'passed'
  }

  copy.write(path, mutated)
  try {
    let rest = tests.filter((file) => !knowledge.unsound.has(file))
    const related = rest.length
    // Most of what the compiler refuses shows in the file itself, which takes less time than any test.
    if (!(await copy.compiles(path))) return { outcome: 'refused by the compiler', related, ran: 0 }
    let spentMs = 0
    for (let batchMs = 3000; rest.length > 0 && spentMs < limitMs; batchMs *= 3) {
      const batch = rest.slice(0, nextBatch(rest, Math.min(batchMs, limitMs - spentMs), knowledge))
      const expected = expectedMs(batch, knowledge)
      const { outcome, failed, durations } = await copy.test(batch, timeoutOf(expected))
      for (const [file, ms] of durations) knowledge.durations.set(file, ms)
      if (outcome === 'timed out') return { outcome, related, ran: related - rest.length }
      spentMs += Math.max(expectedMs(batch, knowledge), 500)
      if (outcome === 'passed') {
        rest = rest.slice(batch.length)
        continue
      }
      // A test file kills only when it passes without the mutant.
      const suspects = failed.length > 0 ? failed : batch
      for (const file of suspects)
        if (await isSound(file))
          return { outcome: 'killed', by: file, related, ran: related - rest.length + 1 }
      rest = rest.filter((file) => !knowledge.unsound.has(file))
    }
    const outcome = (await copy.compiles()) ? 'survived' : 'refused by the compiler'
    return { outcome, related, ran: related - rest.length }
  } finally {
    copy.write(path, original)
  }
}
