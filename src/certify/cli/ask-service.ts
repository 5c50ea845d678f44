/**
 * Has the service do what no call of the protocol does: by the command of `--setup`, by the path of its own that the
 * configuration names, or by a person at the terminal.
 */
import type { AskService } from '../judge/run-procedures.ts'
import type { ServiceAction } from '../judge/procedure.ts'
import { compact } from '../../core/base/compact.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import type { Io } from '../../terminal/cli/io.ts'
import { runCommand } from '../../terminal/cli/run/run-child.ts'
import type { SubjectQueries } from '../../terminal/service/subject-requests.ts'
import type { AskPerson } from './ask-person.ts'
import type { Command } from '../../core/engine/command.ts'
import type { OrderType } from '../../core/protocol/orders/order.ts'
import { isoOf } from '../../core/engine/instant.ts'

const price = (value: number) => ({ value, currency: 'BRL' })

const option = (name: string, more: object = {}) => ({
  id: name.toLowerCase(),
  name,
  quantity: 1,
  defaultQuantity: 0,
  pricing: { unitPrice: price(2), totalPrice: price(2) },
  ...more,
})

/**
 * An order document in part that holds everything optional: what a service is asked for where it
 * has a choice. Two items, the first of them three times; one has options within options.
 */
export const fullOrderDocument = (
  type: OrderType,
  now: number,
): Readonly<Record<string, unknown>> => ({
  fulfillment: { orderType: type },
  timing: {
    orderTiming: 'SCHEDULED',
    schedule: {
      scheduledDateTimeStart: isoOf(now + 3_600_000),
      scheduledDateTimeEnd: isoOf(now + 5_400_000),
    },
    orderPriority: 'PRIORITY2',
  },
  context: { salesChannel: 'APP' },
  observations: 'sem talheres',
  unavailabilityPreference: 'REMOVE_ITEM',
  // With all that is required of one: a service may take the member as it is.
  customer: {
    id: 'customer-1',
    name: 'Ana Souza',
    phone: { number: '+5511999990000' },
    ordersCountOnMerchant: 0,
    birthDate: '1990-04-17',
    gender: 'FEMALE',
  },
  items: [
    {
      id: 'item-1',
      itemOfferId: 'offer-1',
      name: 'Pastel',
      quantity: 3,
      observations: 'bem quente',
      pricing: { unitPrice: price(9), totalPrice: price(27) },
    },
    {
      id: 'item-2',
      name: 'Combo',
      quantity: 1,
      options: [option('Bebida', { options: [option('Gelo')] })],
      pricing: { unitPrice: price(20), optionsPrice: price(4), totalPrice: price(24) },
    },
  ],
})

/**
 * A service action as commands for the service, where that is a session of ours. None where
 * commands cannot do it: orders and a new beginning have calls of their own, the rest has to be
 * done by hand.
 */
export function commandsOfAction(action: ServiceAction): readonly Command[] {
  switch (action.kind) {
    case 'cancel-order':
      return [action.command ?? { kind: 'order.apply', orderId: action.orderId, trigger: 'cancel' }]
    case 'deny-cancellation':
      return [{ kind: 'cancellation.answer', orderId: action.orderId, answer: 'deny' }]
    case 'emit-events':
      return action.eventTypes.map((eventType) => ({
        kind: 'event.emit',
        orderId: action.orderId,
        eventType,
      }))
    case 'other':
      return action.command ? [action.command] : []
    default:
      return []
  }
}

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

/** A service action as an instruction to a person. */
function instructionText(action: ServiceAction): string {
  switch (action.kind) {
    case 'create-order':
      return `create a ${action.type} order at the service${action.isFull ? ', with options, remarks and two items at least' : ''}${action.document ? `, with ${JSON.stringify(action.document)} if it can be` : ''}`
    case 'cancel-order':
      return action.instruction ?? `cancel the order ${action.orderId} at the service`
    case 'deny-cancellation':
      return `deny the cancellation of the order ${action.orderId} at the service, which was asked for`
    case 'emit-events':
      return `let the service announce ${action.eventTypes.join(', ')} of the order ${action.orderId}`
    case 'begin-anew':
      return 'restart the service, with its data'
    default:
      return action.instruction
  }
}

/** Part of a document of the order that is asked for; undefined where its type is all that is wanted. */
const wantedOrder = ({
  type,
  isFull,
  document,
}: Extract<ServiceAction, { kind: 'create-order' }>) =>
  isFull ? fullOrderDocument(type, Date.now()) : document

const orderOfType = (orderType: string) => ({ fulfillment: { orderType } })

/** Members of a command that say how a session of ours does it. */
const ownMembers: ReadonlySet<string> = new Set(['kind', 'force'])

/** `{accountId: 'a1', points: 500}` of a command as `SPARRING_ACCOUNT_ID=a1` and `SPARRING_POINTS=500`; JSON of what has members. */
const environmentOfCommand = (command: Command): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(command)
      .filter(([member, value]) => !ownMembers.has(member) && value !== undefined)
      .map(([member, value]) => [
        `SPARRING_${member.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
  )

/** Environment variables that tell a service action to the command of `--setup`. */
const environmentOfAction = (action: ServiceAction): Readonly<Record<string, string>> => ({
  ...('command' in action && action.command ? environmentOfCommand(action.command) : {}),
  ...(action.kind === 'other'
    ? compact({ SPARRING_OPERATION: action.operation, SPARRING_TABLE: action.table })
    : {}),
  SPARRING_WISH: action.kind,
  SPARRING_INSTRUCTION: instructionText(action),
  SPARRING_COMMANDS: commandsOfAction(action)
    .map((command) => `${JSON.stringify(command)}\n`)
    .join(''),
  ...(action.kind === 'create-order'
    ? {
        SPARRING_ORDER_TYPE: action.type,
        SPARRING_ORDER: JSON.stringify(wantedOrder(action) ?? orderOfType(action.type)),
      }
    : {}),
  ...('orderId' in action ? { SPARRING_ORDER_ID: action.orderId } : {}),
  ...('eventTypes' in action ? { SPARRING_EVENT_TYPES: action.eventTypes.join(' ') } : {}),
})

async function bySetup(
  setup: string,
  action: ServiceAction,
  { io, signal }: AskOptions,
): Promise<Answer> {
  const { code, output } = await runCommand(setup, environmentOfAction(action), {
    io,
    signal: AbortSignal.any([signal, AbortSignal.timeout(setupTimeoutMs)]),
  })
  if (code === 0) return {}
  if (signal.aborted) return interrupted
  const last = output.trimEnd().split('\n').at(-1) ?? ''
  const ended = code === undefined ? 'did not end in 60 s' : `ended with ${code}`
  const about = action.kind === 'other' ? `"${action.instruction}"` : action.kind
  return { why: `the command of --setup ${ended} for ${escapeControls(`${about}: ${last}`)}` }
}

/** By the service's own path for tests; undefined where it has none that answers with success. */
async function byPath(
  action: ServiceAction,
  { visit, configuration }: AskOptions,
): Promise<Answer | undefined> {
  const { asks } = configuration.subject
  const request =
    action.kind === 'create-order'
      ? {
          path: asks.order,
          body: { type: action.type, ...compact({ order: wantedOrder(action) }) },
        }
      : action.kind === 'cancel-order'
        ? { path: asks.cancellation.replace('{orderId}', encodeURIComponent(action.orderId)) }
        : undefined
  if (!visit || !request) return undefined
  const status = await visit({ method: 'POST', ...request }).catch(() => undefined)
  return status !== undefined && status < 300 ? {} : undefined
}

async function byPerson(
  action: ServiceAction,
  person: AskPerson,
  { signal, personMs = defaultPersonMs }: AskOptions,
): Promise<Answer> {
  const text = escapeControls(instructionText(action))
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
  async (action) => {
    const { setup, person } = options
    const done = setup === undefined ? undefined : await bySetup(setup, action, options)
    if (done && (done.why === undefined || options.signal.aborted)) return done
    const answered = await byPath(action, options)
    if (answered) return answered
    if (person) return byPerson(action, person, options)
    return (
      done ?? {
        why: `it has to be done at the service: ${escapeControls(instructionText(action))}; give --setup, a path in subject.asks, or a terminal`,
      }
    )
  }
