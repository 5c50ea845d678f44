/** Files beside a recording: bookmarks, and rules for accepted differences. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { z } from 'zod'
import { fileProblem } from '../../../core/runtime/files/file-problem.ts'
import { saveText } from '../../../core/runtime/files/output.ts'
import { problem } from '../../../core/base/problem.ts'
import { ok, type Result } from '../../../core/protocol/result.ts'
import type { PlayerFiles } from '../../playback/player/player.ts'
import { maxBookmarks } from '../../playback/player/bookmarks.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import { rulesFileOf, saveRules } from '../compare/rules.ts'
import { strictObject } from '../../../core/base/lazy-object.ts'

const MarksFile = strictObject(() => ({
  version: z.literal(1),
  marks: z
    .array(z.strictObject({ seq: z.int().min(0), text: z.string().max(200) }))
    .max(maxBookmarks)
    .describe('the number of an exchange, and a note'),
}))

/** The bookmarks of `lunch.rec.ndjson` are in `lunch.marks.json`. */
export const bookmarksFileOf = (recording: string): string =>
  rulesFileOf(recording).replace(/\.rules\.json$/, '.marks.json')

async function readIfPresent(path: string, what: string): Promise<string | undefined> {
  if (!existsSync(path)) return undefined
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw problem(`reading ${path}`, fileProblem(what, error), 'Correct it, or take it away.')
  })
}

function parseMarks(text: string, path: string): z.infer<typeof MarksFile>['marks'] {
  const read = parseJson(text)
  const { success, data, error } = MarksFile.safeParse(read)
  if (success) return data.marks
  const [issue] = error.issues
  throw problem(
    `reading the bookmarks ${path}`,
    `${issue?.path.join('.') || 'the whole'} will not do: ${issue?.message}`,
    'Correct it, or take it away.',
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Serialises writes: a second key press may come before the first write has ended, and must not overwrite it. */
function createSerialQueue(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}

export async function openPlayerFiles(
  recording: string,
  rules: string | undefined,
  cwd: string,
): Promise<PlayerFiles> {
  const marksPath = resolve(cwd, bookmarksFileOf(recording))
  const rulesPath = resolve(cwd, rules ?? rulesFileOf(recording))
  const text = await readIfPresent(marksPath, 'reading bookmarks')
  const serially = createSerialQueue()

  async function keepMarks(marks: PlayerFiles['marks']): Promise<Result<string, string>> {
    const written = await saveText(marksPath, `${JSON.stringify({ version: 1, marks }, null, 2)}\n`)
    return written.ok ? ok(relative(cwd, marksPath)) : written
  }

  async function keepRule(rule: Rule): Promise<Result<string, string>> {
    const saved = await saveRules(rulesPath, [rule], 'first')
    return saved.ok ? ok(relative(cwd, rulesPath)) : saved
  }

  return {
    marks: text === undefined ? [] : parseMarks(text, marksPath),
    saveBookmarks: (marks) => serially(() => keepMarks(marks)),
    saveRule: (rule) => serially(() => keepRule(rule)),
  }
}
