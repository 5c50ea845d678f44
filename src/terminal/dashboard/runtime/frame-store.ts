/**
 * Store of a screen that follows a program. Messages are folded as they come and drawn at most so often; a key is drawn at once. While
 * the terminal has not consumed the last frame no further one is drawn: a slow terminal gets fewer frames, never a queue of them.
 */
export interface FrameStore<Model, Message> {
  /** What is drawn. */
  readonly get: () => Model
  readonly subscribe: (listener: () => void) => () => void
  /** The newest, drawn or not. */
  readonly newest: () => Model
  /** Applies a message, and draws at once. */
  readonly send: (message: Message) => void
  /** Applies a message, and draws with the next frame. */
  readonly fold: (message: Message) => void
  /** Draws what was folded. */
  readonly draw: () => void
}

export function createFrameStore<Model, Message>(
  initial: Model,
  update: (model: Model, message: Message) => Model,
): FrameStore<Model, Message> {
  let newest = initial
  let drawn = initial
  const listeners = new Set<() => void>()
  const draw = (): void => {
    if (drawn === newest) return
    drawn = newest
    for (const listener of listeners) listener()
  }
  const fold = (message: Message): void => {
    newest = update(newest, message)
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

/** Frames for messages: at most ten in a second. */
const frameMs = 100
/** Drawing may take at most a tenth of the time. */
const drawTimeDivisor = 10

/** Draws what was folded, so often that it costs little and the terminal keeps up. */
export function createFrameTimer(
  store: Pick<FrameStore<unknown, never>, 'draw' | 'get' | 'newest'>,
  isDrained: () => boolean,
) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = 0
  const schedule = (): void => {
    timer ??= setTimeout(
      () => {
        timer = undefined
        const began = performance.now()
        if (isDrained()) store.draw()
        const pause = Math.max(frameMs, drawTimeDivisor * (performance.now() - began))
        dueAt = began + pause
        if (store.get() !== store.newest()) schedule()
      },
      Math.max(0, dueAt - performance.now()),
    )
  }
  return { schedule, stop: () => clearTimeout(timer) }
}
