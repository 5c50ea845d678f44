/**
 * Finds and reads the scenarios that are named. All of them are read before anything is played, and everything that is
 * wrong is told at once: file, line and column, the line itself, and what was probably meant.
 */
import { access, glob } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { CommandBody } from '../../edge/control/commands.ts'
import { type DataFile, isDataFile, type Place, readDataFile } from '../../edge/files/data-file.ts'
import { check, type Path, type Wrong } from '../../edge/files/schema-errors.ts'
import { Problem, problem } from '../../problem.ts'
import { readRuns } from '../../scenario/read.ts'
import type { Run, RunWishes } from '../../scenario/runs.ts'
import { entryOf } from '../../scenario/steps.ts'

/** A run with the file that it comes from. */
export interface Loaded {
  /** As somebody in this folder would name it. */
  readonly file: string
  readonly run: Run
  /** Where something of the scenario stands. */
  readonly placeOf: (path: Path) => Place | undefined
}

const isPattern = (text: string): boolean => /[*?[\]{}]/.test(text)

/** The shell, or somebody, named a file: brackets in its name are no pattern then. */
const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** The files that fit, each once, in the order of their names. */
async function find(patterns: readonly string[], cwd: string): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const pattern of patterns) {
    const here: string[] = (await isThere(resolve(cwd, pattern))) ? [pattern] : []
    if (here.length === 0)
      for await (const file of glob(pattern, { cwd })) if (isDataFile(file)) here.push(file)
    // A file that is named is read whatever it is called, and says itself what is wrong with it.
    if (here.length === 0 && !isPattern(pattern)) here.push(pattern)
    if (here.length === 0)
      throw problem(
        `looking for scenarios in ${cwd}`,
        `nothing fits "${pattern}"`,
        'Name a file that is there, or quote a pattern that the shell should not read.',
      )
    for (const file of here.sort()) found.add(relative(cwd, resolve(cwd, file)) || file)
  }
  return [...found]
}

/** One mistake, with the line that it stands in and a mark below its place. */
function told(file: DataFile, { path, which, wrong, remedy }: Wrong): string {
  const place = file.placeOf(path, which)
  if (!place) return problem(`reading ${file.file}`, wrong, remedy).message
  return pointed(file, place, `${wrong}. ${remedy}`)
}

const longLine = 160

function pointed(file: DataFile, { line, column }: Place, sentence: string): string {
  const text = file.lineAt(line)
  const head = `reading ${file.file}:${line}:${column}: ${sentence}`
  if (text === undefined || text.trim() === '') return head
  // Of a line without end, what stands around the place is all that a person reads.
  const from = text.length > longLine ? Math.max(0, column - 1 - longLine / 2) : 0
  const margin = `  ${line} | ${from > 0 ? '…' : ''}`
  const shown = `${text.slice(from, from + longLine)}${from + longLine < text.length ? '…' : ''}`
  const before = ' '.repeat(margin.length + column - 1 - from)
  return [head, `${margin}${shown}`, `${before}^`].join('\n')
}

/** What an expert commands is checked as the control API checks it: a wrong command would bring the session down. */
function wrongCommands({ scenario }: Run): readonly Wrong[] {
  return scenario.steps.flatMap((step, index) => {
    const entry = entryOf(step)
    if (entry.word !== 'command') return []
    const checked = check(CommandBody, entry.given, 'the command')
    if (checked.ok) return []
    return checked.error.map((each) => ({
      ...each,
      path: ['steps', index, 'command', ...each.path],
    }))
  })
}

type Read =
  | { readonly ok: true; readonly loaded: readonly Loaded[] }
  | { readonly ok: false; readonly wrong: string }

async function read(name: string, cwd: string, wishes: RunWishes): Promise<Read> {
  const file = await readDataFile(name, resolve(cwd, name), 'a scenario')
  if (file.error)
    return {
      ok: false,
      wrong: pointed(file, file.error.place, `${file.error.message}. Correct it there.`),
    }
  const runs = readRuns(file.value ?? {}, check, wishes)
  // Rows of a table may command different things; what is wrong with several of them is told once.
  const wrongs = runs.ok
    ? [
        ...new Map(
          runs.value
            .flatMap(wrongCommands)
            .map((each) => [`${each.path.join('.')} ${each.wrong}`, each] as const),
        ).values(),
      ]
    : runs.error
  if (wrongs.length > 0 || !runs.ok)
    return { ok: false, wrong: wrongs.map((each) => told(file, each)).join('\n') }
  const placeOf = (path: Path): Place | undefined => file.placeOf(path, 'key')
  return { ok: true, loaded: runs.value.map((run) => ({ file: name, run, placeOf })) }
}

/** The runs of every file, or one problem that tells of all that is wrong with any of them. */
export async function loadScenarios(
  patterns: readonly string[],
  cwd: string,
  wishes: RunWishes = {},
): Promise<readonly Loaded[]> {
  const loaded: Loaded[] = []
  const wrong: string[] = []
  for (const name of await find(patterns, cwd)) {
    const one = await read(name, cwd, wishes).catch((error: unknown): Read => {
      if (error instanceof Problem) return { ok: false, wrong: error.message }
      throw error
    })
    if (one.ok) loaded.push(...one.loaded)
    else wrong.push(one.wrong)
  }
  if (wrong.length > 0) throw new Problem(wrong.join('\n'), 2)
  return loaded
}
