/** Runs `sparring minimise`: searches the smallest failing recording, writes the files and prints the result. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileProblem } from '../../../core/runtime/files/file-problem.ts'
import { makeFolder } from '../../../core/runtime/files/make-folder.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import type { SmallestPart } from '../../playback/replay/minimise.ts'
import type { MinimiseStage } from '../../minimise/minimise-options.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { compact } from '../../../core/base/compact.ts'
import { readConfigurationAndFlags } from '../../../terminal/cli/session-options.ts'
import { loadUserRules } from '../compare/rules.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { type ExitCode, exitCode } from '../../../terminal/cli/exit-code.ts'
import { type Io, printJson, printLine } from '../../../terminal/cli/io.ts'
import { unrepeatedCrashes } from '../replay/driver.ts'
import { readRecordingContent, withRecordedDialect } from '../replay/recording-content.ts'
import { listenForStop } from '../../../terminal/cli/stop-signal.ts'
import type { MinimiseFlags } from './flags.ts'
import { checkFixedService, checkServiceFlags } from './started-services.ts'
import { isFlaky, type Product, productEndings, writeProducts } from './products.ts'
import { type FoundFailure, searchFailure } from './search-failure.ts'

const baseOf = ({ output, recording }: MinimiseFlags): string =>
  output ?? `${recording.replace(/\/+$/, '').replace(/\.rec\.ndjson(?:\.(?:zst|gz))?$/, '')}.min`

/** Checks that the output folder is writable and that no output file exists. */
function checkOutput(base: string, { force }: MinimiseFlags, cwd: string): void {
  const attempted = `minimising into ${base}${productEndings.recording}`
  const there = Object.values(productEndings)
    .map((each) => `${base}${each}`)
    .find((file) => existsSync(resolve(cwd, file)))
  if (there !== undefined && !force)
    throw problem(
      attempted,
      `${there} is there already`,
      'Name another with -o, or write over it with --force.',
    )
  // Checked before the search, which takes minutes and would be lost.
  const folder = dirname(resolve(cwd, base))
  let isFolder: boolean
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
    isFolder = statSync(folder).isDirectory()
  } catch (error) {
    throw new Problem(fileProblem(attempted, error), 2)
  }
  if (!isFolder) throw problem(attempted, `${folder} is no folder`, 'Name another with -o.')
}

const stageLine = ({ stage, before, after, replays }: MinimiseStage): string =>
  `${stage.padEnd(9)}  ${before === after ? '' : `${before} to `}${pluralise(after, 'exchange')}, ${pluralise(replays, 'replay')}`

function exitOf(verdict: SmallestPart['verdict'], isInterrupted: boolean): ExitCode {
  if (isInterrupted) return exitCode.interrupted
  if (verdict === 'unstable') return exitCode.unstable
  return verdict === 'minimal' ? exitCode.done : 1
}

/** No part of the recording is a proof where the failure needs none of it. */
export function checkNeedsRecording(
  {
    content,
    failure,
  }: { content: Pick<FoundFailure['content'], 'exchanges'>; failure: { text: string } },
  recording: string,
): void {
  if (content.exchanges.length > 0) return
  throw problem(
    `minimising ${recording}`,
    `${failure.text}, also with no exchange of it played: your service fails as it starts, or in what it does by itself`,
    'Nothing was written. Look at its start with sparring up, or name another failure with --failure.',
    exitCode.unstable,
  )
}

const isOfEffects = ({ id }: { readonly id: string }): boolean => id.startsWith('EF-')

/** Effects are counted at the service: without a way to count them, what the recording shows of them cannot come again. */
export async function checkEffects(
  { config, failure, at }: MinimiseFlags,
  { end }: Pick<RecordingContent, 'end'>,
  io: Io,
): Promise<void> {
  const failed = (end?.verdicts ?? []).filter(({ outcome }) => outcome === 'failed')
  const ofEffects = failed.find(isOfEffects)
  const isMeant =
    failure === undefined && at === undefined
      ? failed.every(isOfEffects)
      : /\bEF-/i.test(failure ?? '')
  if (ofEffects === undefined || !isMeant) return
  const { configuration } = await readConfigurationAndFlags(compact({ config }), io.cwd)
  if (Object.keys(configuration.subject.effects ?? {}).length > 0) return
  throw problem(
    'minimising a failure of effects',
    `the recording shows ${ofEffects.id}, which is judged by what your service says that it has done, and nothing says how to ask it`,
    'Name the configuration that has subject.effects with --config.',
  )
}

export async function runMinimise(
  typed: MinimiseFlags,
  io: Io,
  /** Progress, before each replay. */
  onProgress: (text: string) => void = (text) => io.onProgress?.(text),
): Promise<ExitCode> {
  const base = baseOf(typed)
  checkOutput(base, typed, io.cwd)
  checkServiceFlags(typed)
  const [content, rules] = await Promise.all([
    readRecordingContent(typed.recording, io.cwd),
    loadUserRules(typed.recording, typed.rules, io.cwd),
  ])
  const flags = await withRecordedDialect(typed, content, io)
  await checkEffects(flags, content, io)
  using stopping = listenForStop(io)
  const print = flags.quiet ? () => undefined : (text: string) => void printLine(io.stderr, text)
  await checkFixedService({ flags, content, io, signal: stopping.signal })
  const driver = flags.driver ?? 'partner'
  const unrepeated = unrepeatedCrashes(content, { driver, start: flags.start })
  if (unrepeated !== undefined) print(`sparring: ${unrepeated}`)
  const searched = await searchFailure({
    flags,
    io,
    content,
    rules,
    stopped: stopping.signal,
    onProgress,
    onStage: (stage) => print(stageLine(stage)),
    onFailures: (lines) => lines.forEach(print),
  })
  checkNeedsRecording(searched, flags.recording)
  const { signal } = stopping
  const products = await writeProducts(searched, { base, flags, io, signal, onProgress })
  await printResult(searched, products, flags, io)
  if (!signal.aborted && products.every(({ written }) => !written)) return exitCode.unstable
  return exitOf(searched.verdict, signal.aborted)
}

async function printResult(
  { paragraph, failure, verdict, replays, stages, confirmed, content }: FoundFailure,
  products: readonly Product[],
  { json }: MinimiseFlags,
  io: Io,
): Promise<void> {
  const files = products.flatMap(({ file }) => file ?? [])
  if (json) {
    const kept = content.exchanges.map(({ recordId }) => recordId)
    const result = {
      verdict,
      failure,
      confirmed,
      replays,
      stages,
      kept,
      files,
      products,
      paragraph,
    }
    await printJson(io, result)
    return
  }
  // What no file shows again is a guess.
  await printLine(io.stdout, files.length > 0 ? paragraph : `not proven: ${paragraph}`)
  for (const product of products) {
    const { kind, file, proof, reason = '' } = product
    const flaky = isFlaky(product) ? `  flaky: it fails ${proof?.fails} of ${proof?.of} times` : ''
    await (file === undefined
      ? printLine(io.stderr, `the ${kind} was not written: ${reason}`)
      : printLine(io.stdout, `${file}${flaky}`))
  }
}
