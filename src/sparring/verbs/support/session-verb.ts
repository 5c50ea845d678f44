/** A verb of a running session: it connects by the control API, and prints what comes of it as text or JSON. */
import type { Command } from '../../../core/engine/command.ts'
import type { Fact } from '../../../core/engine/fact.ts'
import type { Refusal } from '../../../core/engine/refusal.ts'
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import { type ExitCode, exitCode } from '../../../terminal/cli/exit-code.ts'
import { controlFlags, jsonFlag, noColorFlag } from '../../../terminal/cli/flags.ts'
import { type Io, printJson, printLine } from '../../../terminal/cli/io.ts'
import { resolveOrderId } from './resolve-order-id.ts'
import { type Column, printTable } from './table.ts'
import {
  type ArgumentRow,
  defineVerb,
  type FlagRow,
  type OptionsOf,
  type Verb,
} from '../../../terminal/cli/verb.ts'

/** Longer than our counterparts wait for an answer. */
const answerTimeoutMs = 60_000

const sharedFlags = [jsonFlag, noColorFlag, ...controlFlags] as const

/** What a verb does with the session that the flags name, else with the one that runs. */
export interface SessionAccess {
  readonly io: Io
  readonly json: boolean
  /** ` --control http://127.0.0.1:7200`, for a printed command about the same session; empty for the default. */
  readonly controlFlag: string
  /** Connects, once. */
  readonly connect: () => Promise<SessionApi>
  /** The full id of the order that was typed. */
  readonly orderId: <Typed extends string | undefined>(
    typed: Typed,
  ) => Promise<string | (Typed & undefined)>
  /** Prints a value as JSON, or by `show` as text. */
  readonly print: (value: unknown, show: () => Promise<void>) => Promise<ExitCode>
  /** Prints rows as JSON or as a table, or `nothing` to stderr when there are none. */
  readonly printRows: <Row>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    nothing: string,
  ) => Promise<ExitCode>
  /** Prints a refusal to stderr. */
  readonly printRefusal: (refusal: Refusal) => Promise<ExitCode>
  /**
   * Submits a command and prints the result: the facts as JSON, or the line `done`. A call that it leads to is waited
   * for: what your service answers decides.
   */
  readonly submit: (command: Command, done: string) => Promise<ExitCode>
}

function accessSession(options: OptionsOf<[], typeof sharedFlags>, io: Io): SessionAccess {
  let connection: Promise<SessionApi> | undefined
  async function open(): Promise<SessionApi> {
    const { chooseSession } = await import('./choose-session.ts')
    const session = await chooseSession(options)
    const { openRemoteSession } =
      await import('../../../core/runtime/control-client/remote-session.ts')
    return openRemoteSession(session)
  }
  const connect = () => (connection ??= open())
  const json = options.json === true
  const print: SessionAccess['print'] = async (value, show) => {
    await (json ? printJson(io, value) : show())
    return exitCode.done
  }
  /** A refusal is an answer and not a failure of the program: exit code 1. */
  async function printRefusal({ code, message }: Refusal): Promise<ExitCode> {
    const [first = '', ...others] = message.split('\n')
    await printLine(io.stderr, `sparring: refused: ${first} (${code})`)
    for (const line of others) await printLine(io.stderr, `  ${line}`)
    return exitCode.failed
  }
  /** Prints what the user's service answered to the calls that a command led to, where that is no success, or missing. */
  async function refusedAnswer(
    facts: readonly Fact[],
    face: SessionApi,
    done: string,
  ): Promise<ExitCode | undefined> {
    const placed = facts.flatMap((fact) => (fact.kind === 'call.placed' ? [fact.call] : []))
    const lines = facts.flatMap((fact) =>
      fact.kind === 'call.postponed'
        ? [`${fact.call.operation} waits for a valid manifest of its receiver`]
        : [],
    )
    const { subject } = placed.length > 0 ? (await face.look({})).info : {}
    const calls = placed.filter(({ to }) => to === subject?.role)
    if (calls.length > 0) {
      const { untilAnswered, waitUntil } = await import('../../../core/runtime/wait-until.ts')
      const condition = untilAnswered(face, calls)
      const { observed } = await waitUntil(face, condition, { timeoutMs: answerTimeoutMs })
      lines.push(...observed.refusals, ...observed.because)
    }
    if (lines.length === 0) return undefined
    for (const line of lines) await printLine(io.stderr, `sparring: ${done}: ${line}`)
    return exitCode.failed
  }
  return {
    io,
    json,
    controlFlag: options.control === undefined ? '' : ` --control ${options.control}`,
    connect,
    orderId: async (typed) =>
      typed === undefined ? typed : resolveOrderId(await connect(), typed),
    print,
    printRows: (rows, columns, nothing) =>
      print(rows, () => printTable(io, rows, columns, nothing)),
    printRefusal,
    async submit(command, done) {
      const face = await connect()
      const outcome = await face.submit(command)
      if (!outcome.ok) return printRefusal(outcome.error)
      const { value: facts } = outcome
      const refused = await refusedAnswer(facts, face, done)
      if (refused !== undefined) return refused
      return print(facts, () =>
        printLine(io.stdout, facts.length === 0 ? `${done}: nothing changed` : done),
      )
    },
  }
}

/** Defines a verb of a running session; its own flags come before those of the output and the connection. */
export const defineSessionVerb = <
  const Arguments extends readonly ArgumentRow[] = [],
  const Flags extends readonly FlagRow[] = [],
>({
  flags,
  run,
  ...verb
}: Pick<Verb, 'name' | 'summary' | 'details'> & {
  readonly arguments?: Arguments
  readonly flags?: Flags
  readonly run: (options: OptionsOf<Arguments, Flags>, session: SessionAccess) => Promise<ExitCode>
}): Verb =>
  defineVerb({
    ...verb,
    flags: [...(flags ?? []), ...sharedFlags],
    run: (options, io) => run(options as never, accessSession(options as never, io)),
  })
