/** Waits for the parts that are merged and reads them: what is not there in time is said, and the others are read. */
import { Problem, problem } from '../../../core/base/problem.ts'
import { exitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { parseDurationArgument } from '../parse-duration-argument.ts'
import { type MissingPart, partFilesOf, shownPart, waitForParts } from './part-files.ts'

export interface MergedPartFlags {
  readonly file: readonly string[]
  readonly shards?: number
  readonly wait?: string
}

export interface CollectedParts<Part> {
  readonly parts: readonly Part[]
  /** Those that did not end within `--wait`, and why that is known, in a sentence; undefined when all did. */
  readonly incomplete: string | undefined
}

/** Parts that are named. */
const maxNamed = 5

function incompleteText(missing: readonly MissingPart[], wait: string): string | undefined {
  if (missing.length === 0) return undefined
  const named = missing
    .slice(0, maxNamed)
    .map(({ file, because }) => `${shownPart(file)}: ${because}`)
  const more = missing.length > maxNamed ? `; and ${missing.length - maxNamed} more` : ''
  return `of the parts ${missing.length} did not end within ${wait}: ${named.join('; ')}${more}`
}

export async function collectParts<Part>(
  { file, shards, wait }: MergedPartFlags,
  io: Io,
  signal: AbortSignal,
  read: (name: string, cwd: string) => Promise<Part>,
): Promise<CollectedParts<Part>> {
  const { cwd } = io
  const files = await partFilesOf(file, shards, cwd)
  if (wait === undefined)
    return { parts: await Promise.all(files.map((each) => read(each, cwd))), incomplete: undefined }
  const timeoutMs = parseDurationArgument(wait, 'reading --wait')
  const missing = await waitForParts({ files, cwd, timeoutMs, signal })
  const open = new Set(missing.map((each) => each.file))
  const parts: Part[] = []
  for (const each of files)
    try {
      parts.push(await read(each, cwd))
    } catch (error) {
      // What was waited for in vain may be absent, or not begun.
      if (!(error instanceof Problem && open.has(each))) throw error
    }
  const incomplete = incompleteText(missing, wait)
  if (parts.length === 0 && incomplete !== undefined)
    throw problem(
      'merging the parts',
      incomplete,
      'Look how they ended, and merge them then.',
      exitCode.unreachable,
    )
  return { parts, incomplete }
}
