/** Handlers of the steps that edit the agenda (hold, drop, delay, move …). */
import type { ItemEdit } from '../engine/agenda/commands.ts'
import { type StepActions, StepFailure } from './step-actions.ts'
import type { ItemSelector } from './item.ts'
import type { StepHandler } from './step-context.ts'
import type { ItemEditInput } from './steps.ts'

type AgendaWord =
  | 'step'
  | 'hold'
  | 'release'
  | 'drop'
  | 'duplicate'
  | 'delay'
  | 'move'
  | 'edit'
  | 'together'
  | 'arrange'
  | 'undo'
  | 'redo'

async function editOf(edit: ItemEditInput, hand: StepActions): Promise<ItemEdit> {
  const { hold, release, drop, duplicate, delay } = edit
  const idOf = async (wish: ItemSelector): Promise<number> => (await hand.item(wish, 0)).id
  if (hold) return { kind: 'agenda.hold', id: await idOf(hold) }
  if (release) return { kind: 'agenda.release', id: await idOf({ held: true, ...release }) }
  if (drop) return { kind: 'agenda.drop', id: await idOf(drop) }
  if (duplicate) return { kind: 'agenda.duplicate', id: await idOf(duplicate) }
  const { by: byMs = 0, ...wish } = delay ?? {}
  return { kind: 'agenda.delay', id: await idOf(wish), byMs }
}

export const agendaSteps: { readonly [Word in AgendaWord]: StepHandler<Word> } = {
  async step(count, { session }) {
    for (let taken = 0; taken < count; taken++)
      if (!(await session.step())) throw new StepFailure(`the agenda is empty after ${taken}`)
  },
  async hold({ within, ...wish }, { actions: hand }) {
    const { id } = await hand.item(wish, within)
    await hand.submit({ kind: 'agenda.hold', id })
  },
  async release(wish, { actions: hand }) {
    const { id } = await hand.item({ held: true, ...wish }, 0)
    await hand.submit({ kind: 'agenda.release', id })
  },
  async drop({ within, ...wish }, { actions: hand }) {
    const { id } = await hand.item(wish, within)
    await hand.submit({ kind: 'agenda.drop', id })
  },
  async duplicate({ within, ...wish }, { actions: hand }) {
    const { id } = await hand.item(wish, within)
    await hand.submit({ kind: 'agenda.duplicate', id })
  },
  async delay({ within, by: byMs, ...wish }, { actions: hand }) {
    const { id } = await hand.item(wish, within)
    await hand.submit({ kind: 'agenda.delay', id, byMs })
  },
  async move({ within, to, onto, ...wish }, { actions: hand }) {
    const { id } = await hand.item(wish, within)
    const place = to ?? { place: (await hand.item(onto ?? {}, 0)).id }
    await hand.submit({ kind: 'agenda.move', id, to: place })
  },
  async edit({ within, change, ...wish }, { actions: hand }) {
    const { id } = await hand.item(wish, within)
    await hand.submit({ kind: 'agenda.edit', id, change })
  },
  async together(edits, { actions: hand }) {
    const found: ItemEdit[] = []
    for (const edit of edits) found.push(await editOf(edit, hand))
    await hand.submit({ kind: 'agenda.batch', edits: found })
  },
  async arrange(wishes, { actions: hand }) {
    const order: number[] = []
    for (const wish of wishes) order.push((await hand.item(wish, 0)).id)
    await hand.submit({ kind: 'agenda.arrange', order })
  },
  async undo(_, { actions: hand }) {
    await hand.submit({ kind: 'agenda.undo' })
  },
  async redo(_, { actions: hand }) {
    await hand.submit({ kind: 'agenda.redo' })
  },
}
