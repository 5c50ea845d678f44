/**
 * Shows a list screen on a terminal until its operator or a signal closes it: its store, its frames, its keys, its
 * time.
 */
import { Box, useInput } from 'ink'
import { type ReactNode, useSyncExternalStore } from 'react'
import type { Appearance } from '../view/appearance.ts'
import { Area } from '../view/area.tsx'
import type { Tone } from '../view/text/row.ts'
import { createFrameStore, createFrameTimer, type FrameStore } from '../runtime/frame-store.ts'
import { keyPressesOf } from '../runtime/key-press.ts'
import type { ExitReason } from '../runtime/show.tsx'
import { openShownScreen, type TakenTerminal } from '../runtime/shown-screen.ts'
import {
  type ListAction,
  listAreas,
  type ListMessage,
  type ListModel,
  type ListScreen,
  respondToListKey,
} from './list-screen.ts'

interface ScreenAreasProps<Model extends ListModel> {
  readonly model: Model
  readonly screen: ListScreen<Model, string, unknown, unknown>
  readonly appearance: Appearance
}

/** The whole screen: exactly as many cells as the terminal has. */
export function ScreenAreas<Model extends ListModel>({
  model,
  screen,
  appearance,
}: ScreenAreasProps<Model>): ReactNode {
  return (
    <Box width={model.columns} height={model.rows} overflow="hidden">
      {listAreas(screen, model, appearance.glyphs).map((area) => (
        <Area key={area.name} {...area} appearance={appearance} attempt={model} />
      ))}
    </Box>
  )
}

interface ScreenProps<Model extends ListModel> extends Omit<ScreenAreasProps<Model>, 'model'> {
  readonly store: Pick<FrameStore<Model, never>, 'get' | 'subscribe'>
  readonly press: (key: string) => void
}

function Screen<Model extends ListModel>({
  store,
  press,
  ...areas
}: ScreenProps<Model>): ReactNode {
  const model = useSyncExternalStore(store.subscribe, store.get)
  useInput((input, key) => {
    for (const each of keyPressesOf(input, key)) press(each.key)
  })
  return <ScreenAreas {...areas} model={model} />
}

/** What every program says about its screen. */
export interface ShowListOptions {
  readonly appearance: Appearance
  /** Called at the beginning, and again after something else had the terminal. */
  readonly openTerminal: () => TakenTerminal
  /** The operator wants the program to stop. */
  readonly onStop: () => void
  /** Suspends to the shell, until resumed; absent where that is not possible. */
  readonly suspend?: () => Promise<void>
  /** Closes the screen, after a signal. */
  readonly signal?: AbortSignal
}

export interface ListScreenOptions<
  Model extends ListModel,
  Context extends string,
  Message,
  Action,
> extends ShowListOptions {
  readonly screen: ListScreen<Model, Context, NoInfer<Message>, Action>
  readonly initial: (columns: number, rows: number) => Model
  readonly update: (model: Model, message: Message | ListMessage) => Model
  /** Does what only this screen asks for. */
  readonly act: (action: Action) => void
}

const tickMs = 1000

type OwnAction = { readonly kind: string }

const isListAction = (action: OwnAction): action is ListAction =>
  action.kind === 'stop' || action.kind === 'leave' || action.kind === 'suspend'

export class OpenListScreen<
  Model extends ListModel,
  Context extends string,
  Message,
  Action extends OwnAction,
> {
  readonly #options: ListScreenOptions<Model, Context, Message, Action>
  readonly #shown: ReturnType<typeof openShownScreen>
  readonly #store: FrameStore<Model, Message | ListMessage>
  readonly #frames: ReturnType<typeof createFrameTimer>
  readonly #ticks: ReturnType<typeof setInterval>
  readonly #closed = Promise.withResolvers<ExitReason>()
  /** The wall clock at the beginning. */
  #beganAt = performance.now()

  constructor(options: ListScreenOptions<Model, Context, Message, Action>) {
    this.#options = options
    const { openTerminal, initial, update, screen, appearance, signal } = options
    const press = (key: string): void => this.#press(key)
    this.#shown = openShownScreen({
      openTerminal,
      onResize: (size) => this.#store.send({ kind: 'resized', ...size }),
      element: () => <Screen {...{ screen, appearance, press }} store={this.#store} />,
    })
    const { columns, rows } = this.#shown.size
    this.#store = createFrameStore(initial(columns, rows), update)
    this.#frames = createFrameTimer(this.#store, this.#shown.isDrained)
    this.#shown.begin()
    this.#ticks = setInterval(() => this.tick(), tickMs)
    if (signal?.aborted === true) this.#interrupted()
    signal?.addEventListener('abort', this.#interrupted, { once: true })
  }

  readonly #interrupted = (): void => this.#closed.resolve('interrupted')

  #press(key: string): void {
    if (this.#store.newest().notice) this.#store.fold({ kind: 'notice', notice: undefined })
    const { message, action } = respondToListKey(this.#options.screen, this.#store.newest(), key)
    if (message) this.#store.fold(message)
    this.#store.draw()
    if (action) this.#act(action)
  }

  #act(action: Action | ListAction): void {
    const { act, onStop, suspend } = this.#options
    if (!isListAction(action)) return act(action)
    if (action.kind === 'stop') return onStop()
    if (action.kind === 'leave') return this.leave()
    if (!suspend) return this.tell('this program cannot be suspended', 'muted')
    void this.lend(async () => {
      await suspend()
      return undefined
    })
  }

  /** Resolves when the operator leaves, or it is interrupted. */
  get closed(): Promise<ExitReason> {
    return this.#closed.promise
  }

  /** The newest model, drawn or not. */
  get model(): Model {
    return this.#store.newest()
  }

  /** Applies a message, and draws soon. */
  fold(message: Message | ListMessage): void {
    this.#store.fold(message)
    this.#frames.schedule()
  }

  /** Shows the time that has passed, until the program has ended. */
  tick(): void {
    if (this.model.ended === undefined)
      this.fold({ kind: 'ticked', tookMs: performance.now() - this.#beganAt })
  }

  /** The program has run for so long. */
  setTookMs(tookMs: number): void {
    this.#beganAt = performance.now() - tookMs
  }

  /** Says it in one line, at once. */
  tell(text: string, tone: Tone): void {
    this.#store.send({ kind: 'notice', notice: { text, tone } })
  }

  /** Gives the terminal to something else for as long as it takes; what that returns is shown as a notice. */
  readonly lend = (to: () => Promise<string | undefined>): Promise<void> =>
    this.#shown.lend(to, ({ text, isError }) => {
      if (text === undefined) this.#store.send({ kind: 'notice', notice: undefined })
      else this.tell(text, isError ? 'err' : 'warn')
    })

  /** The operator leaves. */
  leave(): void {
    this.#closed.resolve('quit')
  }

  /** Closes it, if it is open, and restores the terminal. */
  async close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#interrupted)
    clearInterval(this.#ticks)
    this.#frames.stop()
    await this.#shown.close()
    this.#interrupted()
  }
}
