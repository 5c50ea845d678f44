/** What is kept beside a recording: bookmarks, and what somebody accepted as no difference. */
import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { z } from 'zod'
import { fileProblem } from '../../edge/files/file-problem.ts'
import { problem } from '../../problem.ts'
import { no, ok, type Result } from '../../protocol/result.ts'
import type { PlayerFiles } from '../../session/player/player.ts'
import { maxBookmarks } from '../../session/player/bookmarks.ts'
import type { Rule } from '../../traffic/difference/difference.ts'
import {
  RulesFile,
  parseUserRules,
  userRulesVersion,
  formatUserRules,
} from '../../traffic/difference/user-rules.ts'
import { rulesFileOf } from '../compare/rules.ts'

const MarksFile = z.strictObject({
  version: z.literal(1),
  marks: z
    .array(z.strictObject({ seq: z.int().min(0), text: z.string().max(200) }))
    .max(maxBookmarks)
    .describe('the number of an exchange, and what somebody wrote there'),
})

/** `lunch.rec.ndjson` has its bookmarks in `lunch.marks.json`. */
export const marksBeside = (recording: string): string =>
  rulesFileOf(recording).replace(/\.rules\.json$/, '.marks.json')

async function textOf(path: string, what: string): Promise<string | undefined> {
  if (!existsSync(path)) return undefined
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw problem(`reading ${path}`, fileProblem(what, error), 'Correct it, or take it away.')
  })
}

function marksIn(text: string, path: string): z.infer<typeof MarksFile>['marks'] {
  const read = jsonIn(text)
  const { success, data, error } = MarksFile.safeParse(read)
  if (success) return data.marks
  const [issue] = error.issues
  throw problem(
    `reading the bookmarks ${path}`,
    `${issue?.path.join('.') || 'the whole'} will not do: ${issue?.message}`,
    'Correct it, or take it away.',
  )
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whole or not at all: whoever is killed in between leaves what was there. */
async function put(path: string, text: string): Promise<Result<void, string>> {
  const made = `${path}.unfinished`
  try {
    await writeFile(made, text)
    await rename(made, path)
    return ok(undefined)
  } catch (error) {
    await rm(made, { force: true }).catch(() => undefined)
    return no(fileProblem(`writing ${path}`, error))
  }
}

/** One after the other: a key is pressed twice before the first has been written, and both must find their place. */
function createTurns(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}

/** The rules with one more in front: of two that hold in a place the first decides. */
function withRule(before: string | undefined, rule: Rule): Result<string, string> {
  const [added] = RulesFile.parse(JSON.parse(formatUserRules([rule]))).rules
  const held = before === undefined ? { version: userRulesVersion, rules: [] } : jsonIn(before)
  const lawful = before === undefined ? ok([]) : parseUserRules(before)
  if (!lawful.ok) return lawful
  const file = RulesFile.parse(held)
  const rules = added ? [added, ...file.rules] : file.rules
  return ok(`${JSON.stringify({ ...file, rules }, null, 2)}\n`)
}

export async function openPlayerFiles(
  recording: string,
  rules: string | undefined,
  cwd: string,
): Promise<PlayerFiles> {
  const marksPath = resolve(cwd, marksBeside(recording))
  const rulesPath = resolve(cwd, rules ?? rulesFileOf(recording))
  const text = await textOf(marksPath, 'reading bookmarks')
  const inTurn = createTurns()

  async function keepMarks(marks: PlayerFiles['marks']): Promise<Result<string, string>> {
    const written = await put(marksPath, `${JSON.stringify({ version: 1, marks }, null, 2)}\n`)
    return written.ok ? ok(relative(cwd, marksPath)) : written
  }

  async function keepRule(rule: Rule): Promise<Result<string, string>> {
    let before: string | undefined
    try {
      before = existsSync(rulesPath) ? await readFile(rulesPath, 'utf8') : undefined
    } catch (error) {
      return no(fileProblem(`reading the rules ${rulesPath}`, error))
    }
    const next = withRule(before, rule)
    if (!next.ok) return no(`the rules ${rulesPath} will not do: ${next.error}`)
    const written = await put(rulesPath, next.value)
    return written.ok ? ok(relative(cwd, rulesPath)) : written
  }

  return {
    marks: text === undefined ? [] : marksIn(text, marksPath),
    saveBookmarks: (marks) => inTurn(() => keepMarks(marks)),
    saveRule: (rule) => inTurn(() => keepRule(rule)),
  }
}
