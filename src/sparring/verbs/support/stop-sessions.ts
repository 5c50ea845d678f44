/** Implements `sparring stop`: finds the sessions that are meant, asks them to end and waits until they have. */
import { setTimeout as pause } from 'node:timers/promises'
import { compact } from '../../../core/base/compact.ts'
import { exitSummaryLines, exitSummaryView } from '../../../terminal/dashboard/view/exit-summary.ts'
import { openRemoteSession } from '../../../core/runtime/control-client/remote-session.ts'
import { standingOf } from '../../../core/runtime/registry/process-identity.ts'
import { controlAnswers } from '../../../core/runtime/registry/session-answers.ts'
import { portsOf } from '../../../core/runtime/registry/session-entry.ts'
import {
  type RegisteredSession,
  readSessionRegistry,
} from '../../../core/runtime/registry/session-registry.ts'
import { sinceText } from '../../../core/runtime/registry/session-text.ts'
import { problem } from '../../../core/base/problem.ts'
import { severalSessions } from './choose-session.ts'
import { type ExitCode, exitCode } from '../../../terminal/cli/exit-code.ts'
import { type Io, printJson, printLine } from '../../../terminal/cli/io.ts'
import { reportBrokenFiles } from './session-status.ts'
import { verdictSummaryLines } from '../../../core/views/verdict-text.ts'

interface StopOptions {
  readonly which?: string | undefined
  readonly all?: true
  readonly token?: string
  readonly json?: true
}

/** A session to be stopped: one of this machine, or one that is only known by its control URL. */
interface Target {
  readonly name: string
  readonly control?: string
  readonly token?: string
  readonly process?: RegisteredSession
}

interface Stopped {
  readonly pid?: number
  readonly control?: string
  readonly ended: boolean
  readonly summary: readonly string[]
}

/** A session closes within two seconds, and a large recording takes as long as the disk does. */
const stopTimeoutMs = 15_000
const lookEveryMs = 50

const targetOf = (session: RegisteredSession): Target => ({
  name: `session ${session.pid} (since ${sinceText(session)})`,
  process: session,
  ...compact({ control: session.control, token: session.token }),
})

/** The sessions that a process id, a port or a control URL means. */
function sessionsNamed(
  which: string,
  sessions: readonly RegisteredSession[],
): readonly RegisteredSession[] {
  const byPid = sessions.filter(({ pid }) => String(pid) === which)
  if (byPid.length > 0) return byPid
  const url = /^https?:/.test(which) ? URL.parse(which) : null
  const port = url ? Number(url.port || 80) : Number(which)
  const isMeant = (session: RegisteredSession): boolean =>
    url
      ? [session.control, ...Object.values(session.counterparts)].some(
          (each) => each !== undefined && new URL(each).origin === url.origin,
        )
      : portsOf(session).includes(port)
  return sessions.filter(isMeant)
}

const nothingRuns = (wrong: string) =>
  problem('stopping a session', wrong, 'See what runs with: sparring status', exitCode.unreachable)

async function targetsAmong(
  sessions: readonly RegisteredSession[],
  { which, all, token }: StopOptions,
): Promise<readonly Target[]> {
  if (all) return sessions.map(targetOf)
  if (which === undefined) {
    const [only, ...others] = sessions
    if (only === undefined) throw nothingRuns('none runs on this machine')
    if (others.length > 0)
      throw severalSessions(sessions, 'Name one: sparring stop <pid>; or stop them all: --all.')
    return [targetOf(only)]
  }
  const named = sessionsNamed(which, sessions)
  if (named.length > 0) return named.map(targetOf)
  // A session of another machine or container, whose control API is reached.
  if (/^https?:/.test(which) && (await controlAnswers(which)))
    return [{ name: `the session at ${which}`, control: which, ...compact({ token }) }]
  throw nothingRuns(`no session has the process id, port or control URL "${which}"`)
}

/** The lines that a session prints at its end; none of one that has no control API or does not answer. */
async function summaryOf({ control, token }: Target): Promise<readonly string[]> {
  if (control === undefined || !(await controlAnswers(control))) return []
  const session = openRemoteSession({ url: control, ...compact({ token }) })
  const last = await session.look(exitSummaryView)
  return [...exitSummaryLines(last), ...verdictSummaryLines(last.verdicts)]
}

/** Asks through the control API, which every system has; a session without one gets the signal. */
async function askToEnd({ name, control, token, process: own }: Target): Promise<void> {
  if (control !== undefined && (await controlAnswers(control))) {
    await openRemoteSession({ url: control, ...compact({ token }) }).stop?.()
    return
  }
  if (!own) return
  if (own.verb === 'mcp')
    throw problem(
      `stopping ${name}`,
      `it does not answer, and its process, ${own.pid}, serves an agent`,
      'End it in the agent, or end that process yourself.',
    )
  if (!own.isSure)
    throw problem(
      `stopping ${name}`,
      `it does not answer, and the system does not say whether process ${own.pid} is still the one that was started`,
      'Look at that process, and end it yourself.',
    )
  process.kill(own.pid, 'SIGTERM')
}

/** A session of `sparring mcp` is over when it is not registered any more: its process serves on. */
const isRegistered = ({ pid, control }: RegisteredSession): boolean =>
  readSessionRegistry().sessions.some((each) => each.pid === pid && each.control === control)

async function hasEnded({ control, process: own }: Target): Promise<boolean> {
  if (own?.verb === 'mcp') return !isRegistered(own)
  if (own) return standingOf(own) === 'gone'
  return control === undefined || !(await controlAnswers(control))
}

async function stopOne(target: Target): Promise<Stopped> {
  const summary = await summaryOf(target)
  await askToEnd(target)
  const { control, process: own } = target
  const until = performance.now() + stopTimeoutMs
  let ended = await hasEnded(target)
  while (!ended && performance.now() < until) {
    await pause(lookEveryMs)
    ended = await hasEnded(target)
  }
  return { ...compact({ pid: own?.pid, control }), ended, summary }
}

export async function stopSessions(options: StopOptions, io: Io): Promise<ExitCode> {
  const registry = readSessionRegistry()
  await reportBrokenFiles(registry, io)
  const meant = await targetsAmong(registry.sessions, options)
  const stopped: Stopped[] = []
  for (const target of meant) {
    const one = await stopOne(target)
    stopped.push(one)
    if (options.json) continue
    if (one.ended)
      await printLine(io.stdout, [`stopped ${target.name}`, ...one.summary].join('\n  '))
    else
      await printLine(
        io.stderr,
        `sparring: ${target.name} still runs after ${stopTimeoutMs / 1000} s; it may be completing its recording. ` +
          `End it at once with: kill -9 ${target.process?.pid ?? '<pid>'}`,
      )
  }
  if (options.json) await printJson(io, stopped)
  else if (meant.length === 0) await printLine(io.stderr, 'no session runs')
  return stopped.every(({ ended }) => ended) ? exitCode.done : exitCode.failed
}
