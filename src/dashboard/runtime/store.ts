/**
 * Store of the model: applies messages in order through `updateModel` and notifies subscribers when the model changes.
 */
import type { Message } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { updateModel } from '../update/update.ts'

export interface ModelStore {
  readonly get: () => Model
  readonly send: (...messages: readonly Message[]) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function createModelStore(initial: Model): ModelStore {
  let model = initial
  const listeners = new Set<() => void>()
  return {
    get: () => model,
    send(...messages) {
      const next = messages.reduce(updateModel, model)
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
