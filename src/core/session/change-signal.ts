/** Tells subscribers that something has changed; they look for themselves at what. */
export interface ChangeSignal {
  readonly notify: () => void
  /** Returns the unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void
}

export function createChangeSignal(): ChangeSignal {
  const listeners = new Set<() => void>()
  return {
    notify: () => {
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
