/** Opens the output of each reporter: stdout, or a file of its own, created before the first run. */
import { appendFile, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { errorCode, fileProblem } from '../../edge/files/file-problem.ts'
import { makeFolder } from '../../edge/files/make-folder.ts'
import { writeWithBackpressure } from '../../edge/recording/write-with-backpressure.ts'
import { Problem, problem } from '../../problem.ts'
import { findClosestName } from '../../protocol/closest-name.ts'
import type { Io } from '../io.ts'
import type { Reporter, Style } from './reporters/reporter.ts'

export interface ReportWriters<Run, Whole> {
  readonly writeRun: (run: Run) => Promise<void>
  readonly writeReport: (report: Whole) => Promise<void>
}

interface ReporterTarget<Run, Whole> {
  readonly reporter: Reporter<Run, Whole>
  readonly file?: string
}

function parseReporterTarget<Run, Whole>(
  text: string,
  reporters: readonly Reporter<Run, Whole>[],
): ReporterTarget<Run, Whole> {
  const [name = '', ...rest] = text.split('=')
  const reporter = reporters.find((each) => each.name === name)
  if (!reporter) {
    const names = reporters.map((each) => each.name)
    const near = findClosestName(name, names)
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

/** Rejects two reports to one file. */
function checkFiles<Run, Whole>(targets: readonly ReporterTarget<Run, Whole>[], cwd: string): void {
  const reporterByPath = new Map<string, string>()
  for (const { reporter, file } of targets) {
    if (file === undefined) continue
    const path = resolve(cwd, file)
    const other = reporterByPath.get(path)
    if (other !== undefined)
      throw problem(
        'reading --reporter',
        `${other} and ${reporter.name} cannot both be written to ${file}`,
        'Give each a file of its own.',
      )
    reporterByPath.set(path, reporter.name)
  }
}

/** Rejects a document on stdout together with any other report there. */
function checkStdout<Run, Whole>(targets: readonly ReporterTarget<Run, Whole>[]): void {
  const onStdout = targets.filter(({ file }) => file === undefined)
  const document = onStdout.find(({ reporter }) => reporter.form === 'document')
  const other = onStdout.find((each) => each !== document)
  if (!document || !other) return
  throw problem(
    'reading --reporter',
    `${document.reporter.name} and ${other.reporter.name} cannot both be written to stdout`,
    `Send one of them to a file: --reporter ${document.reporter.name}=report.${document.reporter.name}.`,
  )
}

/** Turns an error of the file system into a problem; other errors are bugs and stay as they are. */
const asProblem = (file: string, error: unknown): unknown =>
  errorCode(error) === ''
    ? error
    : new Problem(`${fileProblem(`writing the report ${file}`, error)}.`, 2)

/** Creates the file at once, so that an unwritable one is reported before the first run. */
async function openFileWriter(file: string, cwd: string): Promise<(text: string) => Promise<void>> {
  const path = resolve(cwd, file)
  try {
    makeFolder(dirname(path))
    const handle = await open(path, 'w')
    await handle.close()
  } catch (error) {
    throw asProblem(file, error)
  }
  return async (text) => {
    if (text === '') return
    try {
      await appendFile(path, text)
    } catch (error) {
      throw asProblem(file, error)
    }
  }
}

/** `wanted` holds the values of `--reporter`; `reporters` are the available ones. */
export async function openReportWriters<Run, Whole>(
  wanted: readonly string[],
  io: Io,
  style: Style,
  reporters: readonly Reporter<Run, Whole>[],
): Promise<ReportWriters<Run, Whole>> {
  const targets = wanted.map((each) => parseReporterTarget(each, reporters))
  checkStdout(targets)
  checkFiles(targets, io.cwd)
  const writers = await Promise.all(
    targets.map(async ({ reporter, file }) => ({
      reporter,
      style: file === undefined ? style : { ...style, color: false },
      write:
        file === undefined
          ? (text: string) =>
              text === '' ? Promise.resolve() : writeWithBackpressure(io.stdout, text)
          : await openFileWriter(file, io.cwd),
    })),
  )
  for (const { reporter, write } of writers) await write(reporter.begin?.() ?? '')
  return {
    async writeRun(run) {
      for (const { reporter, style: own, write } of writers)
        await write(reporter.ended?.(run, own) ?? '')
    },
    async writeReport(report) {
      for (const { reporter, style: own, write } of writers)
        await write(reporter.finish?.(report, own) ?? '')
    },
  }
}
