/**
 * Saves the manual operator actions of a session as a scenario that repeats them. Items are named by selector and orders
 * by slot, so the file is readable and editable.
 */
import { literal } from './examples.ts'
import { isoOf } from '../engine/instant.ts'
import { formatDuration } from '../protocol/duration.ts'
import type { OperatorAction, SessionApi, Snapshot } from '../session-api/session-api.ts'
import { SavedAwaits, type SavedEntry } from './save-awaits.ts'
import { createSavedNames, type SavedNames } from './save-names.ts'
import {
  isDriven,
  orderIdsOfAction,
  savedOrders,
  type SavedStory,
  savedStory,
} from './save-story.ts'
import { savedStep } from './steps.ts'
import { changeOrderIds } from './words/session.ts'
import type { ScenarioInput } from './schema.ts'
import { yamlText } from './yaml-text.ts'

export interface SaveScenarioOptions {
  /** Name of the scenario: a short sentence. */
  readonly name?: string | undefined
  readonly about?: string | undefined
}

type StepInput = NonNullable<ScenarioInput['steps']>[number]

/** The step that repeats an operator action; a command without a step of its own is one as it is. */
async function savedSteps(
  { what, after, item, items = [] }: OperatorAction,
  names: SavedNames,
): Promise<readonly StepInput[]> {
  const rows = item ? [item, ...items] : items
  // What they took is saved, however it came to be taken.
  if (what.kind === 'step' || what.kind === 'advance') return []
  const action = what.kind === 'command' ? what.command : what
  const step = await savedStep(action, {
    names,
    async selectorOf(id, held) {
      const row = rows.find((each) => each.id === id)
      return row && names.item(row, after, held)
    },
    async placeOf(id) {
      const row = await names.rowOf(id, after)
      return row && names.item(row, after)
    },
  })
  if (step) return [step]
  // The player drives the clock, and the service makes its own calls.
  if (what.kind !== 'command') return []
  return [
    { command: changeOrderIds(what.command, (id) => names.slotOf(id) ?? id) as { kind: string } },
  ]
}

/** The item that an edit waits for. */
function itemOf({ hold, drop, duplicate, delay, move, edit, take }: StepInput) {
  const { by: _by, ...delayed } = delay ?? { by: 0 }
  const { to: _to, onto: _onto, ...moved } = move ?? {}
  const { change: _change, ...edited } = edit ?? { change: {} }
  const item = hold ?? drop ?? duplicate ?? take
  return item ?? (delay ? delayed : move ? moved : edit ? edited : undefined)
}

/** The order that an action moves, or to which it adds an event. */
const movedOrder = ({ what }: OperatorAction): string | undefined =>
  what.kind === 'command' &&
  'orderId' in what.command &&
  /^(?:order|cancellation|event)\./.test(what.command.kind)
    ? what.command.orderId
    : undefined

/** An entry of the story, with the item that its step waits for. */
async function savedEntry(
  entry: SavedStory['entries'][number],
  item: ReturnType<typeof itemOf>,
  names: SavedNames,
): Promise<SavedEntry> {
  const { after } = entry
  const trigger = item && 'trigger' in item ? item.trigger : undefined
  if (entry.kind === 'done') {
    const about = await orderIdsOfAction(entry.action, names)
    return { after, about, moved: movedOrder(entry.action), trigger }
  }
  const { orderId } = entry.kind === 'taken' ? entry.row : {}
  return { after, about: orderId === undefined ? [] : [orderId], trigger }
}

/** Whether an item about these orders was still to come: then it matters how much time has passed. */
async function hasPending(after: number, names: SavedNames): Promise<boolean> {
  for (const orderId of names.orderIds)
    if ((await names.rowsAt(after, orderId)).some(({ held, background }) => !held && !background))
      return true
  return false
}

/**
 * The orders, what the operator did, and what was taken of the agenda meanwhile, in their order, on a clock that is paused
 * as soon as the first edit can be made.
 */
async function stepsOf(
  session: SessionApi,
  snapshot: Snapshot,
  story: SavedStory,
  names: SavedNames,
): Promise<readonly StepInput[]> {
  const isOfService = snapshot.info.subject !== undefined
  const slots = story.earlier.flatMap((id) => names.slotOf(id) ?? [])
  const [only = ''] = slots
  const steps: StepInput[] = []
  if (slots.length > 0) steps.push({ create: slots.length === 1 ? only : slots })
  const awaits = new SavedAwaits(session, story, names)
  await awaits.begin(story.from)
  let isPaused = false
  let lastAt = story.entries[0]?.at ?? 0
  for (const entry of story.entries) {
    const written =
      entry.kind === 'done'
        ? await savedSteps(entry.action, names)
        : entry.kind === 'looped'
          ? [{ step: entry.count }]
          : [{ take: await names.item(entry.row, entry.after) }]
    if (written.length === 0) continue
    const passedMs = Math.round(entry.at - lastAt)
    lastAt = entry.at
    const mayAdvance = isPaused && entry.kind === 'done' && passedMs > 0
    // Where nothing else moves the clock, an item that is released is due when that was.
    if (mayAdvance && (isDriven(snapshot) || (await hasPending(entry.after, names))))
      steps.push({ advance: formatDuration(passedMs) })
    const [first] = written
    const item = first && itemOf(first)
    if (!isPaused && slots.length > 0) steps.push({ pause: item ?? true })
    else if (!isPaused) steps.push({ pause: true })
    isPaused = true
    if (isOfService) steps.push(...(await awaits.before(await savedEntry(entry, item, names))))
    steps.push(...written)
  }
  return steps
}

/** The settings of a session but for orders that come by themselves: the file holds those that it needs. */
function withoutArrivals(session: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { counterparts, ...rest } = session as { counterparts?: Record<string, object> }
  const application = counterparts?.['ordering-application']
  if (!application || !('orders' in application)) return { ...session }
  const { orders: _orders, ...others } = application
  return { ...rest, counterparts: { ...counterparts, 'ordering-application': others } }
}

const maxNamedCalls = 5

/** What the scenario leaves out, calls in place of the service; undefined when there are none. */
function resentCallsText(actions: readonly OperatorAction[]): string | undefined {
  const calls = actions.flatMap(({ what }) =>
    what.kind === 'resend' ? [`${what.call} (#${what.seq})`] : [],
  )
  if (calls.length === 0) return undefined
  return `Left out, since no step repeats it: sent again by hand in place of the service ${calls.slice(0, maxNamedCalls).join(', ')}${calls.length > maxNamedCalls ? ` and ${calls.length - maxNamedCalls} more` : ''}.`
}

/** The scenario as data. */
export async function savedScenario(
  session: SessionApi,
  options: SaveScenarioOptions = {},
): Promise<ScenarioInput> {
  const snapshot: Snapshot = await session.look({ operatorActions: true })
  const { operatorActions: actions, info, initialConditions } = snapshot
  if (!initialConditions) throw new Error('this session does not say what it began with')
  const story = await savedStory(session, snapshot)
  const names = createSavedNames(session, story.needed)
  const { channel } = info
  const leftOut = resentCallsText(actions)
  const about = options.about ?? 'Operator actions of a session, step by step.'
  return {
    name:
      options.name ??
      `Done by hand on ${isoOf(initialConditions.origin).slice(0, 16).replace('T', ' ')}`,
    about: leftOut === undefined ? about : `${about} ${leftOut}`,
    subject: info.subject?.role ?? 'none',
    channel,
    // The player drives the clock, whatever its mode was.
    clock: 'stepped',
    seed: initialConditions.seed,
    session: {
      origin: isoOf(initialConditions.origin),
      ...withoutArrivals(initialConditions.session),
    },
    ...(initialConditions.faults.length > 0
      ? { faults: [...initialConditions.faults] as never }
      : {}),
    orders: literal(await savedOrders(session, snapshot, names)),
    steps: [...(await stepsOf(session, snapshot, story, names))],
    // It reproduces what happened, and does not assert that it was correct.
    expect: { invariants: [] },
  }
}

/** The scenario as the text of a file. */
export const savedScenarioText = async (
  session: SessionApi,
  options?: SaveScenarioOptions,
): Promise<string> => yamlText(await savedScenario(session, options))
