/** Names of files and URLs that differ from part to part: `{part}` and `{parts}` in them. */
import type { Shard } from './shard.ts'

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

/** Flags that name outputs, for this part. */
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
