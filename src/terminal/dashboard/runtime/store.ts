/**
 * Store of the model: applies messages and keys in order through `updateModel` and notifies subscribers when the model
 * changes.
 */
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import { performAction } from '../effects/perform.ts'
import type { DashboardPorts } from '../effects/ports.ts'
import { respondToKey } from '../keys/binding.ts'
import { keyBindings } from '../keys/catalogue.ts'
import type { Action, Message, PlaybackAction, SessionAction } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { updateModel } from '../update/update.ts'
import type { KeyPress } from './key-press.ts'

export interface ModelStore {
  readonly get: () => Model
  readonly set: (next: Model) => void
  readonly send: (...messages: readonly Message[]) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** Applies a key; returns the action that it asks for. */
export function pressKey(store: ModelStore, press: KeyPress): Action | undefined {
  const pressed = updateModel(store.get(), { kind: 'pressed', key: press.key })
  const { messages = [], action } = respondToKey(keyBindings, pressed, press)
  store.set(messages.reduce(updateModel, pressed))
  return action
}

/** Executes an action and applies what comes of it. */
export async function performInto(
  store: ModelStore,
  session: SessionApi,
  action: SessionAction | PlaybackAction,
  ports?: DashboardPorts,
): Promise<void> {
  store.send(...(await performAction(session, action, ports, (message) => store.send(message))))
}

export function createModelStore(initial: Model): ModelStore {
  let model = initial
  const listeners = new Set<() => void>()
  const set = (next: Model): void => {
    if (next === model) return
    model = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => model,
    set,
    send: (...messages) => set(messages.reduce(updateModel, model)),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
