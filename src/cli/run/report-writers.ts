/** Where each reporter writes: stdout, or a file of its own, which is begun before anything is played. */
import { appendFile, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { errorCode, fileProblem } from '../../edge/files/file-problem.ts'
import { makeFolder } from '../../edge/files/make-folder.ts'
import { writeWithBackpressure } from '../../edge/recording/write-with-backpressure.ts'
import { Problem, problem } from '../../problem.ts'
import { closest } from '../../protocol/closest.ts'
import type { Io } from '../io.ts'
import type { Reporter, Style } from './reporters/reporter.ts'

export interface Outlets<Run, Whole> {
  readonly ended: (run: Run) => Promise<void>
  readonly finish: (report: Whole) => Promise<void>
}

interface Outlet<Run, Whole> {
  readonly reporter: Reporter<Run, Whole>
  readonly file?: string
}

function outletOf<Run, Whole>(
  text: string,
  reporters: readonly Reporter<Run, Whole>[],
): Outlet<Run, Whole> {
  const [name = '', ...rest] = text.split('=')
  const reporter = reporters.find((each) => each.name === name)
  if (!reporter) {
    const names = reporters.map((each) => each.name)
    const near = closest(name, names)
    throw problem(
      'reading --reporter',
      `there is no reporter "${name}"`,
      near === undefined ? `There are ${names.join(', ')}.` : `Did you mean "${near}"?`,
    )
  }
  if (rest.length === 0) return { reporter }
  const file = rest.join('=')
  if (file !== '') return { reporter, file }
  throw problem(
    'reading --reporter',
    `"${text}" names no file`,
    `Write it as ${name}=report.${name}, or as ${name} for stdout.`,
  )
}

/** Two reports in one file are none, whatever their form. */
function checkFiles<Run, Whole>(outlets: readonly Outlet<Run, Whole>[], cwd: string): void {
  const taken = new Map<string, string>()
  for (const { reporter, file } of outlets) {
    if (file === undefined) continue
    const path = resolve(cwd, file)
    const other = taken.get(path)
    if (other !== undefined)
      throw problem(
        'reading --reporter',
        `${other} and ${reporter.name} cannot both be written to ${file}`,
        'Give each a file of its own.',
      )
    taken.set(path, reporter.name)
  }
}

/** Two documents on one stdout are none. */
function checkTogether<Run, Whole>(outlets: readonly Outlet<Run, Whole>[]): void {
  const onStdout = outlets.filter(({ file }) => file === undefined)
  const document = onStdout.find(({ reporter }) => reporter.form === 'document')
  const other = onStdout.find((each) => each !== document)
  if (!document || !other) return
  throw problem(
    'reading --reporter',
    `${document.reporter.name} and ${other.reporter.name} cannot both be written to stdout`,
    `Send one of them to a file: --reporter ${document.reporter.name}=report.${document.reporter.name}.`,
  )
}

/** What the machine says of a file is nobody's bug. */
const unwritable = (file: string, error: unknown): unknown =>
  errorCode(error) === ''
    ? error
    : new Problem(`${fileProblem(`writing the report ${file}`, error)}.`, 2)

/** A file that cannot be written is told before anything is played, not after. */
async function writerOf(file: string, cwd: string): Promise<(text: string) => Promise<void>> {
  const path = resolve(cwd, file)
  try {
    makeFolder(dirname(path))
    const handle = await open(path, 'w')
    await handle.close()
  } catch (error) {
    throw unwritable(file, error)
  }
  return async (text) => {
    if (text === '') return
    try {
      await appendFile(path, text)
    } catch (error) {
      throw unwritable(file, error)
    }
  }
}

/** `reporters` are those there are; `wanted` is what was given as `--reporter`. */
export async function openOutlets<Run, Whole>(
  wanted: readonly string[],
  io: Io,
  style: Style,
  reporters: readonly Reporter<Run, Whole>[],
): Promise<Outlets<Run, Whole>> {
  const outlets = wanted.map((each) => outletOf(each, reporters))
  checkTogether(outlets)
  checkFiles(outlets, io.cwd)
  const writers = await Promise.all(
    outlets.map(async ({ reporter, file }) => ({
      reporter,
      style: file === undefined ? style : { ...style, color: false },
      write:
        file === undefined
          ? (text: string) =>
              text === '' ? Promise.resolve() : writeWithBackpressure(io.stdout, text)
          : await writerOf(file, io.cwd),
    })),
  )
  for (const { reporter, write } of writers) await write(reporter.begin?.() ?? '')
  return {
    async ended(run) {
      for (const { reporter, style: own, write } of writers)
        await write(reporter.ended?.(run, own) ?? '')
    },
    async finish(report) {
      for (const { reporter, style: own, write } of writers)
        await write(reporter.finish?.(report, own) ?? '')
    },
  }
}
