/**
 * Store of the campaign's screen. Records are folded as they come and drawn at most so often; a key is drawn at once. While the
 * terminal has not consumed the last frame no further one is drawn: a slow terminal gets fewer frames, never a queue of them.
 */
import type { CampaignModel } from './model.ts'
import { type CampaignMessage, updateCampaign } from './update.ts'

export interface CampaignStore {
  /** What is drawn. */
  readonly get: () => CampaignModel
  readonly subscribe: (listener: () => void) => () => void
  /** The newest, drawn or not. */
  readonly newest: () => CampaignModel
  /** Applies a message, and draws at once. */
  readonly send: (message: CampaignMessage) => void
  /** Applies a message, and draws with the next frame. */
  readonly fold: (message: CampaignMessage) => void
  /** Draws what was folded. */
  readonly draw: () => void
}

export function createCampaignStore(initial: CampaignModel): CampaignStore {
  let newest = initial
  let drawn = initial
  const listeners = new Set<() => void>()
  const draw = (): void => {
    if (drawn === newest) return
    drawn = newest
    for (const listener of listeners) listener()
  }
  const fold = (message: CampaignMessage): void => {
    newest = updateCampaign(newest, message)
  }
  return {
    get: () => drawn,
    newest: () => newest,
    fold,
    draw,
    send(message) {
      fold(message)
      draw()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
