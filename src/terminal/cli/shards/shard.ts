/** A part of a whole, as `--shard` writes it: 1/4. */
import { problem } from '../../../core/base/problem.ts'

/** A part of a run or campaign: `{ part: 1, of: 8 }`. */
export interface Shard {
  readonly part: number
  readonly of: number
}

/** Undefined for the whole. */
export function parseShard(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined
  const [, k, n] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const [part, of] = [Number(k), Number(n)]
  if (k !== undefined && part >= 1 && part <= of) return { part, of }
  throw problem(
    'reading --shard',
    `"${text}" is no part of a whole`,
    'Write it as 1/4, 2/4 …, or as auto.',
  )
}

const whole: Shard = { part: 1, of: 1 }

/** `results-{part}.ndjson` is `results-3.ndjson` for part 3. */
export const nameOfPart = (name: string, { part, of }: Shard = whole): string =>
  name.replaceAll('{part}', String(part)).replaceAll('{parts}', String(of))

export const isNamedByPart = (name: string): boolean => name.includes('{part}')

interface NamedOutputs {
  readonly out?: string
  readonly corpus?: string
  readonly reporter?: readonly string[]
}

/** Flags that name outputs, for this part: with its number for `{part}` and their count for `{parts}`. */
export function withOutputsOfPart<Flags extends NamedOutputs>(
  flags: Flags,
  shard: Shard | undefined,
): Flags {
  const { out, corpus, reporter } = flags
  return {
    ...flags,
    ...(out === undefined ? {} : { out: nameOfPart(out, shard) }),
    ...(corpus === undefined ? {} : { corpus: nameOfPart(corpus, shard) }),
    ...(reporter ? { reporter: reporter.map((each) => nameOfPart(each, shard)) } : {}),
  }
}
