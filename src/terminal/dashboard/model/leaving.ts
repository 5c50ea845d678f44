/** What is lost when the dashboard is closed now, and why nothing can be saved. */
import type { Model } from './model.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'

export const nothingToSave =
  'there is nothing to save: nothing was done by hand yet (N makes an order, 5 shows the agenda)'

const pluralText = (count: number, one: string): readonly string[] =>
  count <= 0 ? [] : [pluralise(count, one)]

/** Operator actions that no saved scenario has. */
export const unsavedActions = ({ snapshot, saved }: Model): number =>
  Math.max(0, (snapshot?.info.counts.actions ?? 0) - saved)

/** What quitting loses: `34 exchanges not recorded`, `2 actions not saved`. */
export function losses(model: Model): readonly string[] {
  const { snapshot } = model
  // The session goes on without a viewer that is attached to it.
  if (!snapshot || snapshot.attached) return []
  const { playback, info } = snapshot
  const { counts, recording } = info
  if (playback)
    return playback.over
      ? []
      : pluralText(playback.edits, 'edit').map((text) => `${text} not played yet`)
  const isRecorded = recording !== undefined && recording.problem === undefined
  return [
    ...(isRecorded ? [] : pluralText(counts.exchanges, 'exchange')).map(
      (text) => `${text} not recorded`,
    ),
    ...pluralText(unsavedActions(model), 'action').map((text) => `${text} not saved`),
    ...pluralText(counts.held, 'item').map((text) => `${text} held`),
  ]
}
