/** Holds the one model. Messages go in here, in order; React and the watcher are told when there is another model. */
import type { Message } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { update } from '../update/update.ts'

export interface Store {
  readonly get: () => Model
  readonly send: (...messages: readonly Message[]) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function createStore(initial: Model): Store {
  let model = initial
  const listeners = new Set<() => void>()
  return {
    get: () => model,
    send(...messages) {
      const next = messages.reduce(update, model)
      if (next === model) return
      model = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
