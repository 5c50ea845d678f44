/** The output of a running session: the dashboard on an interactive terminal, log lines elsewhere. */
import { compact } from '../../core/base/compact.ts'
import { type FollowOptions, followSession } from '../../core/runtime/control/follow.ts'
import type { DashboardPorts } from '../dashboard/effects/ports.ts'
import type { ThemeName } from '../dashboard/view/text/palette.ts'
import type { SessionApi } from '../../core/session-api/session-api.ts'
import type { ConfigurationWatch } from './up/configuration-watch.ts'
import { firstContactLines } from './first-contact-lines.ts'
import { type Io, isCi, printLine } from './io.ts'
import { createSessionLogFormatter, createSessionNdjson } from './log-lines.ts'
import { reportRecordingProblems } from './recording-problems.ts'
import type { StopSignal } from './stop-signal.ts'
import { verdictSummaryLines } from '../../core/views/verdict-text.ts'
import { reportFailedVerdicts, printVerdictSummary } from './verdict-lines.ts'

export interface SessionOutputOptions {
  readonly json?: true
  readonly quiet?: true
  readonly all?: true
  readonly 'no-color'?: true
  readonly theme?: ThemeName
  readonly glyphs?: 'unicode' | 'ascii'
  readonly plain?: true
  readonly 'no-mouse'?: true
}

/** What the program that runs a session adds to it. */
export interface SessionHost {
  /** URL of its control API. */
  readonly control: () => string | undefined
  readonly stop: () => void
  /** Absent where the configuration file is not watched. */
  readonly configuration?: Pick<ConfigurationWatch, 'notices' | 'subscribe'> | undefined
}

/** Adds what the session itself does not know. */
export const withHost = (
  face: SessionApi,
  { control, stop, configuration }: SessionHost,
): SessionApi => ({
  ...face,
  subscribe(listener) {
    const off = [face.subscribe(listener), configuration?.subscribe(listener)]
    return () => off.forEach((each) => each?.())
  },
  stop: () => {
    // After the reply to the request that asked for it.
    setImmediate(stop)
    return Promise.resolve()
  },
  async look(view) {
    const snapshot = await face.look(view)
    const added = compact({ control: control(), configuration: configuration?.notices() })
    return { ...snapshot, info: { ...snapshot.info, ...added } }
  },
})

/** A screen reader works better with lines than with a dashboard. */
const wantsPlain = ({ plain }: Pick<SessionOutputOptions, 'plain'>, env: Io['env']): boolean =>
  plain === true || env['INK_SCREEN_READER'] === 'true'

/** Whether there is a person at a terminal who wants a screen. */
export const canShowScreen = (
  options: Pick<SessionOutputOptions, 'plain'>,
  { isTTY, env }: Io,
): boolean => isTTY && !isCi(env) && !wantsPlain(options, env) && env['TERM'] !== 'dumb'

/** Whether there is a person at a terminal, for a dashboard or for a line prompt. */
export const canShowSession = (options: SessionOutputOptions, { isTTY, env }: Io): boolean =>
  isTTY && !isCi(env) && (wantsPlain(options, env) || env['TERM'] !== 'dumb')

/** Whether the session is shown in the dashboard or with a line prompt, and not as a log. */
export const isInteractive = (options: SessionOutputOptions, io: Io): boolean =>
  !options.json && !options.quiet && canShowSession(options, io)

/** Shows the session until it is stopped. */
export async function showSession(
  face: SessionApi,
  options: SessionOutputOptions,
  io: Io,
  stopping: StopSignal,
): Promise<void> {
  return isInteractive(options, io)
    ? showDashboardAndSummary(face, options, io, stopping)
    : showLines(face, options, io, stopping)
}

async function showLines(
  face: SessionApi,
  options: SessionOutputOptions,
  io: Io,
  stopping: StopSignal,
): Promise<void> {
  using _problems = reportRecordingProblems(face, io)
  if (options.quiet) return await stopping.stopped
  const { signal } = stopping
  if (!options.json) {
    const { info } = await face.look({})
    for (const line of firstContactLines(info)) await printLine(io.stdout, line)
  }
  await writeSessionLog(face, options, io, { signal })
  // A closed pipe has no reader for the summary.
  if (stopping.reason() !== 'closed') await printVerdictSummary(face, options, io)
}

/** The operator's actions as scenario text; the module is loaded on first use. */
const scenarioTextOf = (face: SessionApi) => async (name: string) => {
  const { savedScenarioText: savedText } = await import('../../core/scenario/save.ts')
  return savedText(face, { name })
}

/** Prints what happens as log lines or NDJSON until the signal is aborted. */
export async function writeSessionLog(
  face: SessionApi,
  options: SessionOutputOptions,
  io: Io,
  {
    from = { fact: 0, exchange: 0 },
    ...until
  }: Partial<FollowOptions> & Pick<FollowOptions, 'signal'>,
): Promise<void> {
  const log = createSessionLogFormatter(options)
  const ndjson = createSessionNdjson()
  using _failed = reportFailedVerdicts(face, { ...options, lastAt: log.lastAt }, io)
  for await (const news of followSession(face, { from, ...until })) {
    const lines = options.json ? ndjson(news) : log.lines(news, io.color)
    if (lines.length > 0) await printLine(io.stdout, lines.join('\n'))
  }
}

/** Runs the dashboard until it is closed; as lines where a screen is not wanted. */
export async function runDashboard(
  face: SessionApi,
  options: SessionOutputOptions,
  io: Io,
  { signal, ...otherPorts }: DashboardPorts & { readonly signal: AbortSignal },
): Promise<void> {
  const { createSaveScenario } = await import('./save-scenario.ts')
  const saveScenario = createSaveScenario({ cwd: io.cwd, textOf: scenarioTextOf(face) })
  const extraPorts = { saveScenario, ...otherPorts }
  if (wantsPlain(options, io.env)) {
    const { runPlainSession } = await import('./plain-session.ts')
    return runPlainSession(face, options, io, { signal, ...extraPorts })
  }
  const { openTerminal } = await import('../../core/runtime/terminal.ts')
  const { showDashboard } = await import('../dashboard/runtime/show.tsx')
  const { appearanceOf } = await import('../dashboard/view/appearance.ts')
  const { createCopyText } = await import('../../core/runtime/clipboard.ts')
  const { createEditText } = await import('./edit-text.ts')
  // Signals are handled through `io`, as without a dashboard; the terminal must not act on them.
  const terminal = openTerminal({
    onSignal: () => undefined,
    mouse: options['no-mouse'] !== true,
  })
  try {
    const { theme, glyphs } = options
    const colour = options['no-color'] ? false : undefined
    const appearance = appearanceOf(io.env, compact({ colour, theme, glyphs }))
    const ports = {
      editText: createEditText({
        env: io.env,
        lend: (to) => terminal.lend(() => io.aside?.(to) ?? to()),
      }),
      ...(io.isTTY ? { copyText: createCopyText(terminal.output, io.env) } : {}),
      ...extraPorts,
    }
    await showDashboard({ session: face, terminal, appearance, signal, ports })
  } finally {
    await terminal.close()
  }
}

async function showDashboardAndSummary(
  face: SessionApi,
  options: SessionOutputOptions,
  io: Io,
  { signal }: StopSignal,
): Promise<void> {
  await runDashboard(face, options, io, { signal })
  const { exitSummaryLines: summaryLines, exitSummaryView: summaryView } =
    await import('../dashboard/view/exit-summary.ts')
  const last = await face.look(summaryView)
  const lines = [...summaryLines(last), ...verdictSummaryLines(last.verdicts)]
  for (const line of lines) await printLine(io.stdout, line)
}

/** What the screen of a verb needs. The operator who stops it sees it end; a signal closes the screen at once. */
export async function openScreenPorts(
  { theme, glyphs, ...output }: Pick<SessionOutputOptions, 'theme' | 'glyphs' | 'no-color'>,
  stopping: StopSignal,
  io: Io,
) {
  const { openTerminal } = await import('../../core/runtime/terminal.ts')
  const { suspendToShell } = await import('../../core/runtime/line-prompt.ts')
  const { appearanceOf } = await import('../dashboard/view/appearance.ts')
  const colour = output['no-color'] ? false : undefined
  const closing = new AbortController()
  let isStopped = false
  const interrupted = (): void => {
    if (!isStopped) closing.abort()
  }
  stopping.signal.addEventListener('abort', interrupted, { once: true })
  return {
    ports: {
      appearance: appearanceOf(io.env, compact({ colour, theme, glyphs })),
      // Signals are handled through `io`, as without a screen; the terminal must not act on them.
      openTerminal: () => openTerminal({ onSignal: () => undefined }),
      onStop() {
        isStopped = true
        stopping.stop()
      },
      suspend: suspendToShell,
      signal: closing.signal,
    },
    close: () => stopping.signal.removeEventListener('abort', interrupted),
  }
}
