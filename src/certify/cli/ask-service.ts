/**
 * Has the service do what no call of the protocol does: by the command of `--setup`, by the path of its own that the
 * configuration names, or by a person at the terminal.
 */
import { fullOrderDocument } from '../judge/full-order.ts'
import type { AskService } from '../judge/run-procedures.ts'
import type { Wish } from '../judge/procedure.ts'
import { commandsOfWish } from '../judge/wish-commands.ts'
import { compact } from '../../core/base/compact.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import type { Io } from '../../terminal/cli/io.ts'
import { runChild } from '../../terminal/cli/run/run-child.ts'
import type { SubjectQueries } from '../../terminal/service/subject-requests.ts'
import type { AskPerson } from './ask-person.ts'

export interface AskOptions {
  readonly io: Io
  /** A person at the terminal; absent where there is none. */
  readonly person: AskPerson | undefined
  /** How long a person may take, in ms; 2 minutes when absent. */
  readonly personMs?: number
  readonly setup: string | undefined
  readonly configuration: Configuration
  readonly visit: SubjectQueries['visit']
  readonly signal: AbortSignal
}

type Answer = Awaited<ReturnType<AskService>>

const setupTimeoutMs = 60_000
const defaultPersonMs = 120_000
/** Why nothing is done after the operator has stopped the certification. */
const interrupted: Answer = { why: 'interrupted' }

/** A wish as an instruction to a person. */
export function wishText(wish: Wish): string {
  switch (wish.kind) {
    case 'create-order':
      return `create a ${wish.type} order at the service${wish.isFull ? ', with options, remarks and two items at least' : ''}${wish.document ? `, with ${JSON.stringify(wish.document)} if it can be` : ''}`
    case 'cancel-order':
      return `cancel the order ${wish.orderId} at the service`
    case 'deny-cancellation':
      return `deny the cancellation of the order ${wish.orderId} at the service, which was asked for`
    case 'emit-events':
      return `let the service announce ${wish.eventTypes.join(', ')} of the order ${wish.orderId}`
    case 'begin-anew':
      return 'restart the service, with its data'
    default:
      return wish.instruction
  }
}

/** Part of a document of the order that is asked for; undefined where its type is all that is wanted. */
const wantedOrder = ({ type, isFull, document }: Extract<Wish, { kind: 'create-order' }>) =>
  isFull ? fullOrderDocument(type, Date.now()) : document

const orderOfType = (orderType: string) => ({ fulfillment: { orderType } })

/** Environment variables that tell a wish to the command of `--setup`. */
const environmentOfWish = (wish: Wish): Readonly<Record<string, string>> => ({
  SPARRING_WISH: wish.kind,
  SPARRING_INSTRUCTION: wishText(wish),
  SPARRING_COMMANDS: commandsOfWish(wish)
    .map((command) => `${JSON.stringify(command)}\n`)
    .join(''),
  ...(wish.kind === 'create-order'
    ? {
        SPARRING_ORDER_TYPE: wish.type,
        SPARRING_ORDER: JSON.stringify(wantedOrder(wish) ?? orderOfType(wish.type)),
      }
    : {}),
  ...('orderId' in wish ? { SPARRING_ORDER_ID: wish.orderId } : {}),
  ...('eventTypes' in wish ? { SPARRING_EVENT_TYPES: wish.eventTypes.join(' ') } : {}),
})

async function bySetup(setup: string, wish: Wish, { io, signal }: AskOptions): Promise<Answer> {
  const { code, output } = await runChild('/bin/sh', ['-c', setup], {
    cwd: io.cwd,
    env: { ...io.env, ...environmentOfWish(wish) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(setupTimeoutMs)]),
  })
  if (code === 0) return {}
  if (signal.aborted) return interrupted
  const last = output.trimEnd().split('\n').at(-1) ?? ''
  const ended = code === undefined ? 'did not end in 60 s' : `ended with ${code}`
  return { why: `the command of --setup ${ended}: ${escapeControls(last)}` }
}

/** The order that a wish has cancelled: by an Ordering Application itself, at the request of a Software Service. */
const cancelledOrder = (wish: Wish): string | undefined =>
  wish.kind === 'cancel-order'
    ? wish.orderId
    : wish.kind === 'other'
      ? wish.cancelledOrderId
      : undefined

/** By the service's own path for tests; undefined where it has none that answers with success. */
async function byPath(
  wish: Wish,
  { visit, configuration }: AskOptions,
): Promise<Answer | undefined> {
  const { asks } = configuration.subject
  const cancelled = cancelledOrder(wish)
  const request =
    wish.kind === 'create-order'
      ? {
          path: asks.order,
          body: { type: wish.type, ...compact({ order: wantedOrder(wish) }) },
        }
      : cancelled === undefined
        ? undefined
        : { path: asks.cancellation.replace('{orderId}', encodeURIComponent(cancelled)) }
  if (!visit || !request) return undefined
  const status = await visit({ method: 'POST', ...request }).catch(() => undefined)
  return status !== undefined && status < 300 ? {} : undefined
}

async function byPerson(
  wish: Wish,
  person: AskPerson,
  { signal, personMs = defaultPersonMs }: AskOptions,
): Promise<Answer> {
  const text = escapeControls(wishText(wish))
  const limit = AbortSignal.timeout(personMs)
  const answer = await person(text, personMs, AbortSignal.any([signal, limit]))
  if (answer === 'done') return {}
  if (signal.aborted) return interrupted
  const why =
    answer === 'skipped'
      ? 'it was skipped'
      : limit.aborted
        ? `it was not done in ${pluralise(Math.ceil(personMs / 1000), 'second')}`
        : 'the input of the terminal has ended'
  return { why: `${why}: ${text}` }
}

export const createAskService =
  (options: AskOptions): AskService =>
  async (wish) => {
    const { setup, person } = options
    if (setup !== undefined) return bySetup(setup, wish, options)
    const answered = await byPath(wish, options)
    if (answered) return answered
    if (person) return byPerson(wish, person, options)
    return {
      why: `it has to be done at the service: ${escapeControls(wishText(wish))}; give --setup, a path in subject.asks, or a terminal`,
    }
  }
