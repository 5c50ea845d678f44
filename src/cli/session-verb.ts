/** Control API client of the verbs: connects to a running session, submits commands and prints refusals. */
import type { Result } from '../protocol/result.ts'
import type { Command } from '../engine/command.ts'
import type { Fact } from '../engine/fact.ts'
import type { Refusal } from '../engine/refusal.ts'
import type { SessionApi } from '../session-api/session-api.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import { type Io, printJson, printLine } from './io.ts'

interface ConnectionOptions {
  readonly control?: string
  readonly token?: string
}

/** The API of the session that the flags name, else of the one that runs. */
export async function connectToSession(options: ConnectionOptions): Promise<SessionApi> {
  const { chooseSession } = await import('./choose-session.ts')
  const session = await chooseSession(options)
  const { openRemoteSession: openRemote } = await import('../edge/control/remote-session.ts')
  return openRemote(session)
}

/** Prints a refusal to stderr. A refusal is an answer and not a failure of the program: exit code 1. */
export async function printRefusal({ code, message }: Refusal, io: Io): Promise<ExitCode> {
  const [first = '', ...others] = message.split('\n')
  await printLine(io.stderr, `sparring: refused: ${first} (${code})`)
  for (const line of others) await printLine(io.stderr, `  ${line}`)
  return exitCode.failed
}

interface SubmitOptions extends ConnectionOptions {
  readonly json?: true
}

/** Submits a command and prints the result: the facts as JSON, or one line. */
export async function submitCommand(
  command: Command,
  done: string,
  options: SubmitOptions,
  io: Io,
): Promise<ExitCode> {
  const face = await connectToSession(options)
  return printOutcome(await face.submit(command), done, options, io)
}

export async function printOutcome(
  outcome: Result<readonly Fact[], Refusal>,
  done: string,
  { json }: SubmitOptions,
  io: Io,
): Promise<ExitCode> {
  if (!outcome.ok) return printRefusal(outcome.error, io)
  const lapsed = outcome.value.find((fact) => fact.kind === 'order.lapsed')
  if (lapsed) {
    const message = `${lapsed.trigger} had no effect: the order is ${lapsed.status}`
    return printRefusal({ code: 'INVALID_TRANSITION', message }, io)
  }
  if (json) await printJson(io, outcome.value)
  else await printLine(io.stdout, outcome.value.length === 0 ? `${done}: nothing changed` : done)
  return exitCode.done
}
