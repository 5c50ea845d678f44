/**
 * Has the service do what no call of the protocol does: by the command of `--setup`, by the path of its own that the
 * configuration names, or by a person at the terminal.
 */
import type { AskService } from '../../certification/run-procedures.ts'
import type { Wish } from '../../certification/procedure.ts'
import type { Configuration } from '../../configuration/schema.ts'
import { escapeControls } from '../../traffic/escape-controls.ts'
import { type Io, printLine } from '../io.ts'
import { runChild } from '../minimise/run-child.ts'
import type { SubjectQueries } from '../run/subject-queries.ts'

export interface AskOptions {
  readonly io: Io
  readonly setup: string | undefined
  readonly configuration: Configuration
  readonly visit: SubjectQueries['visit']
  readonly signal: AbortSignal
}

type Answer = Awaited<ReturnType<AskService>>

const setupTimeoutMs = 60_000
/** How long a person may take. */
const personTimeoutMs = 120_000

/** A wish as an instruction to a person. */
export function wishText(wish: Wish): string {
  if (wish.kind === 'create-order') return `create a ${wish.type} order at the service`
  if (wish.kind === 'cancel-order') return `cancel the order ${wish.orderId} at the service`
  if (wish.kind === 'begin-anew') return 'restart the service, with its data'
  return wish.instruction
}

/** Environment variables that tell a wish to the command of `--setup`. */
const environmentOfWish = (wish: Wish): Readonly<Record<string, string>> => ({
  SPARRING_WISH: wish.kind,
  ...(wish.kind === 'create-order' ? { SPARRING_ORDER_TYPE: wish.type } : {}),
  ...(wish.kind === 'cancel-order' ? { SPARRING_ORDER_ID: wish.orderId } : {}),
  ...(wish.kind === 'other' ? { SPARRING_INSTRUCTION: wish.instruction } : {}),
})

async function bySetup(setup: string, wish: Wish, { io, signal }: AskOptions): Promise<Answer> {
  const { code, output } = await runChild('/bin/sh', ['-c', setup], {
    cwd: io.cwd,
    env: { ...io.env, ...environmentOfWish(wish) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(setupTimeoutMs)]),
  })
  if (code === 0) return {}
  const last = output.trimEnd().split('\n').at(-1) ?? ''
  const ended = code === undefined ? 'did not end in 60 s' : `ended with ${code}`
  return { why: `the command of --setup ${ended}: ${escapeControls(last)}` }
}

/** By the service's own path for tests; undefined where it has none that answers with success. */
async function byPath(
  wish: Wish,
  { visit, configuration }: AskOptions,
): Promise<Answer | undefined> {
  const { asks } = configuration.subject
  const request =
    wish.kind === 'create-order'
      ? { path: asks.order, body: { type: wish.type } }
      : wish.kind === 'cancel-order'
        ? { path: asks.cancellation.replace('{orderId}', encodeURIComponent(wish.orderId)) }
        : undefined
  if (!visit || !request) return undefined
  const status = await visit({ method: 'POST', ...request }).catch(() => undefined)
  return status !== undefined && status < 300 ? {} : undefined
}

async function byPerson(wish: Wish, { io, signal }: AskOptions): Promise<Answer> {
  await printLine(
    io.stderr,
    `do this: ${wishText(wish)}, then press Enter; s and Enter skips it (2 minutes)`,
  )
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: io.stdin() })
  try {
    const enough = AbortSignal.any([signal, AbortSignal.timeout(personTimeoutMs)])
    const answer = await lines.question('', { signal: enough })
    return /^s/i.test(answer.trim()) ? { why: 'it was skipped' } : {}
  } catch {
    return { why: `it was not done in 2 minutes: ${wishText(wish)}` }
  } finally {
    lines.close()
  }
}

export const createAskService =
  (options: AskOptions): AskService =>
  async (wish) => {
    const { setup, io } = options
    if (setup !== undefined) return bySetup(setup, wish, options)
    const answered = await byPath(wish, options)
    if (answered) return answered
    if (io.isTTY) return byPerson(wish, options)
    return {
      why: `it has to be done at the service: ${wishText(wish)}; give --setup, a path in subject.asks, or a terminal`,
    }
  }
