/**
 * Steps of commands: actions of the palette, panes and lists that are opened, and what a typed name or number refers
 * to.
 */
import { keyBindings } from '../keys/catalogue.ts'
import { paletteEntries } from '../keys/palette.ts'
import { mutedNotice, outcomeOf } from '../model/key-outcomes.ts'
import type { PaneId } from '../model/layout.ts'
import type { KeyOutcome, Message } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { playbackOf } from '../model/recording.ts'

/** What is done next, by the model as it is then: the session is looked at again after each step. */
export type PlainStep = (model: Model) => KeyOutcome

export const plainNotice = (text: string): KeyOutcome => outcomeOf(mutedNotice(text))

/** Everything that is open is closed. */
const closeAll = ({ overlay, covered }: Model): readonly Message[] =>
  overlay ? Array.from({ length: covered.length + 1 }, () => ({ kind: 'closed' }) as const) : []

/** An action of the palette, by its id. */
export const paletteStep =
  (id: string): PlainStep =>
  (model) => {
    const entry = paletteEntries(keyBindings, model).find((each) => each.id === id)
    if (!entry) return plainNotice('this cannot be done here')
    return entry.reason === undefined ? entry.run() : plainNotice(entry.reason)
  }

export const showStep =
  (...messages: readonly Message[]): PlainStep =>
  (model) => ({
    messages: [...closeAll(model), ...messages],
  })

/** Back to the panes. */
export const closeEverything: PlainStep = showStep()

/** A command that reads out a pane. */
export const paneStep = (id: PaneId, ...messages: readonly Message[]): PlainStep =>
  showStep({ kind: 'focused', pane: id }, ...messages)

export const listStart = { chosen: undefined, top: 0 } as const

export const firstWord = (text: string): string => text.trim().split(/\s+/, 1)[0] ?? ''

/** The id of an order by its slot, number, id or the beginning of it. */
function orderIdOf({ snapshot }: Model, text: string): string | undefined {
  const wanted = firstWord(text)
  const recorded = (snapshot?.playback?.orders ?? []).map(({ orderId }) => ({
    orderId,
    slot: undefined,
    displayId: undefined,
  }))
  const rows = [
    ...(snapshot?.orders ?? []),
    ...recorded,
    ...(snapshot?.order ? [snapshot.order.row] : []),
  ]
  const exact = rows.find(({ slot, displayId, orderId }) =>
    [slot, displayId, orderId].includes(wanted),
  )
  return (exact ?? rows.find(({ orderId }) => wanted !== '' && orderId.startsWith(wanted)))?.orderId
}

export const orderNames = ({ snapshot }: Model): readonly string[] =>
  (snapshot?.orders ?? []).map(({ slot, orderId }) => slot ?? orderId)

/** The order that is named, else the one that is chosen. */
export const namedOrderStep =
  (text: string, then: (orderId: string) => readonly Message[]): PlainStep =>
  (model) => {
    const orderId = text.trim() === '' ? model.orderId : orderIdOf(model, text)
    if (orderId === undefined)
      return plainNotice(
        text.trim() === '' ? 'there is no order yet' : `there is no order ${text.trim()}`,
      )
    return { messages: [...closeAll(model), ...then(orderId)] }
  }

export const numberIn = (text: string): number | undefined => {
  const value = Number(firstWord(text).replace(/^#/, ''))
  return Number.isInteger(value) && value > 0 ? value : undefined
}

/** The item that is named is chosen; then the action is done on it. */
export const itemSteps =
  (id: string) =>
  (text: string): readonly PlainStep[] => {
    const number = numberIn(text)
    const isThere = ({ snapshot }: Model): boolean =>
      snapshot?.agenda.some((row) => row.id === number) === true
    if (number === undefined) return [() => plainNotice('which item? agenda lists their numbers')]
    return [
      (model) =>
        isThere(model)
          ? showStep({ kind: 'focused', pane: 'agenda' }, { kind: 'picked', id: number })(model)
          : plainNotice(`the agenda has no item ${number}`),
      (model) => (isThere(model) ? paletteStep(id)(model) : {}),
    ]
  }

export const activeFaults = ({ snapshot }: Model) =>
  (snapshot?.faults ?? []).filter(({ over }) => over === undefined)

export const pauseStep =
  (isPaused: boolean): PlainStep =>
  (model) => {
    const playback = playbackOf(model)
    if (!playback && (model.snapshot?.info.clock.mode === 'stepped') === isPaused)
      return plainNotice(isPaused ? 'the clock is paused already' : 'the clock runs already')
    return paletteStep('clock.toggle space')(model)
  }

export const exchangeSteps = (text: string): readonly PlainStep[] => {
  const seq = numberIn(text)
  if (seq === undefined) return [() => plainNotice('which exchange? traffic lists their numbers')]
  const open: PlainStep = (model) => {
    const row = model.snapshot?.traffic.find((each) => each.seq === seq)
    if (!row && !playbackOf(model)) return plainNotice(`there is no exchange ${seq}`)
    return outcomeOf({ kind: 'opened' })
  }
  return [
    (model) =>
      playbackOf(model)
        ? {
            messages: [...closeAll(model), { kind: 'focused', pane: 'traffic' }],
            action: { kind: 'seek', to: { kind: 'seq', seq } },
          }
        : showStep({ kind: 'jumped', seq })(model),
    open,
  ]
}
