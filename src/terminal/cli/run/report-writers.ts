/**
 * Opens the output of each reporter before the first run: stdout, or a file that takes its place when it is whole. One that
 * cannot be written later is left out and said; the others are written.
 */
import { resolve } from 'node:path'
import { errorCode, fileProblem } from '../../../core/runtime/files/file-problem.ts'
import { openOutput, type Output } from '../../../core/runtime/files/output.ts'
import { isStdout, realPathOf } from '../../../core/runtime/files/output-place.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import { findClosestName } from '../../../core/protocol/closest-name.ts'
import { asTerminalText, type Io, isTerminal } from '../io.ts'
import { reportLoss } from '../losses.ts'
import type { Reporter, Style } from '../reporters/reporter.ts'

/** Disposing of it removes reports that were begun and not written as a whole. */
export interface ReportWriters<Run, Whole> extends Disposable {
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

interface Writer<Run, Whole> {
  readonly reporter: Reporter<Run, Whole>
  readonly style: Style
  readonly output: Output
  /** What a person reads is escaped; what a program reads is as it is. */
  readonly isShown: boolean
  isBroken?: true
}

/** Rejects two reports to one file. */
function checkFiles<Run, Whole>(targets: readonly ReporterTarget<Run, Whole>[], cwd: string): void {
  const reporterByPath = new Map<string, string>()
  for (const { reporter, file } of targets) {
    if (file === undefined) continue
    const path = realPathOf(resolve(cwd, file))
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

async function openReport(file: string, { cwd, stdout }: Io): Promise<Output> {
  const withProblem = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      throw asProblem(file, error)
    })
  const output = await withProblem(openOutput(file, { replace: true, cwd, stdout }))
  return {
    write: (text) => withProblem(output.write(text)),
    close: () => withProblem(output.close()),
    abort: output.abort,
  }
}

/** What `--reporter` and `--json` ask for: --json claims stdout, and a reporter to stdout overrides it. */
export function wantedReporters(
  { reporter, json }: { readonly reporter?: readonly string[]; readonly json?: true },
  /** When nothing is asked for. */
  usual: readonly string[] = ['pretty'],
): readonly string[] {
  if (json === true && (reporter ?? []).every((each) => each.includes('=')))
    return ['json', ...(reporter ?? [])]
  return reporter ?? usual
}

/** `wanted` holds the values of `--reporter`; `reporters` are the available ones. */
export async function openReportWriters<Run, Whole>(
  wanted: readonly string[],
  io: Io,
  style: Style,
  reporters: readonly Reporter<Run, Whole>[],
): Promise<ReportWriters<Run, Whole>> {
  const targets = wanted
    .map((each) => parseReporterTarget(each, reporters))
    .map(({ reporter, file }) =>
      file === undefined || isStdout(file, io.cwd) ? { reporter } : { reporter, file },
    )
  checkStdout(targets)
  checkFiles(targets, io.cwd)
  const writers: Writer<Run, Whole>[] = []
  const abort = (): void => {
    for (const { output } of writers) output.abort()
  }
  try {
    for (const { reporter, file } of targets)
      writers.push({
        reporter,
        style: file === undefined ? style : { ...style, color: false },
        output: await openReport(file ?? '-', io),
        isShown: file === undefined && (reporter.form === 'lines' || isTerminal(io.stdout)),
      })
  } catch (error) {
    abort()
    throw error
  }
  async function forEach(work: (writer: Writer<Run, Whole>) => Promise<unknown>): Promise<void> {
    for (const each of writers)
      try {
        if (!each.isBroken) await work(each)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        each.isBroken = true
        each.output.abort()
        await reportLoss(io, error.message)
      }
  }
  const write = async ({ output, isShown }: Writer<Run, Whole>, text = ''): Promise<void> => {
    if (text !== '') await output.write(isShown ? asTerminalText(text) : text)
  }
  await forEach((each) => write(each, each.reporter.begin?.()))
  return {
    writeRun: (run) => forEach((each) => write(each, each.reporter.ended?.(run, each.style))),
    async writeReport(report) {
      await forEach((each) => write(each, each.reporter.finish?.(report, each.style)))
      await forEach(({ output }) => output.close())
    },
    [Symbol.dispose]: abort,
  }
}
