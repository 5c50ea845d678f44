/** A screen of areas that follows a program: its store, its frames, its keys, and the terminal that it has. */
import { Box, useInput } from 'ink'
import { type ReactNode, useSyncExternalStore } from 'react'
import type { Appearance } from '../view/appearance.ts'
import { Area } from '../view/area.tsx'
import type { Glyphs } from '../view/text/glyphs.ts'
import type { Rect } from '../model/layout.ts'
import type { Row, Tone } from '../view/text/row.ts'
import { createFrameStore, createFrameTimer, type FrameStore } from './frame-store.ts'
import { keyPressesOf } from './key-press.ts'
import { openShownScreen, type ScreenSize, type TakenTerminal } from './shown-screen.ts'

export interface RowsArea {
  readonly name: string
  readonly rect: Rect
  /** Made when they are drawn, so that an error stays in its area. */
  readonly make: () => readonly Row[]
}

/** One line that is told until the next key. */
export interface ScreenNotice {
  readonly text: string
  readonly tone: Tone
}

/** Messages that every screen understands. */
export type ScreenMessage =
  | { readonly kind: 'resized'; readonly columns: number; readonly rows: number }
  | { readonly kind: 'notice'; readonly notice: ScreenNotice | undefined }

export interface ScreenModel extends ScreenSize {
  readonly notice?: ScreenNotice
}

export type AreasOf<Model> = (model: Model, glyphs: Glyphs) => readonly RowsArea[]

interface AreasProps<Model> {
  readonly model: Model
  readonly areasOf: AreasOf<Model>
  readonly appearance: Appearance
}

/** The whole screen: exactly as many cells as the terminal has. */
export function ScreenAreas<Model extends ScreenModel>({
  model,
  areasOf,
  appearance,
}: AreasProps<Model>): ReactNode {
  return (
    <Box width={model.columns} height={model.rows} overflow="hidden">
      {areasOf(model, appearance.glyphs).map((area) => (
        <Area key={area.name} {...area} appearance={appearance} attempt={model} />
      ))}
    </Box>
  )
}

interface ScreenProps<Model> extends Omit<AreasProps<Model>, 'model'> {
  readonly store: Pick<FrameStore<Model, never>, 'get' | 'subscribe'>
  readonly press: (key: string) => void
}

function Screen<Model extends ScreenModel>({
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

export interface AreaScreenOptions<Model, Message, Action> extends Omit<
  AreasProps<Model>,
  'model'
> {
  /** Called at the beginning, and again after something else had the terminal. */
  readonly openTerminal: () => TakenTerminal
  readonly initial: (columns: number, rows: number) => Model
  readonly update: (model: Model, message: Message | ScreenMessage) => Model
  readonly respond: (
    model: Model,
    key: string,
  ) => { readonly message?: Message | ScreenMessage; readonly action?: Action }
  /** Does what the screen cannot do by itself. */
  readonly act: (action: Action) => void
}

export interface AreaScreen<Model, Message> {
  readonly store: FrameStore<Model, Message | ScreenMessage>
  /** Applies a message, and draws soon. */
  readonly fold: (message: Message) => void
  /** Tells it in one line, at once. */
  readonly tell: (text: string, tone: Tone) => void
  /** Gives the terminal to something else for as long as it takes; what that returns is told. */
  readonly lend: (to: () => Promise<string | undefined>) => Promise<void>
  /** Restores the terminal. */
  readonly close: () => Promise<void>
}

export function openAreaScreen<Model extends ScreenModel, Message, Action>({
  openTerminal,
  initial,
  update,
  respond,
  act,
  ...areas
}: AreaScreenOptions<Model, Message, Action>): AreaScreen<Model, Message> {
  const screen = openShownScreen({
    openTerminal,
    onResize: (size) => store.send({ kind: 'resized', ...size }),
    element: () => <Screen {...areas} {...{ store, press }} />,
  })
  const { columns, rows } = screen.size
  const store = createFrameStore(initial(columns, rows), update)
  const frames = createFrameTimer(store, screen.isDrained)
  const tell = (text: string, tone: Tone): void =>
    store.send({ kind: 'notice', notice: { text, tone } })

  function press(key: string): void {
    if (store.newest().notice) store.fold({ kind: 'notice', notice: undefined })
    const { message, action } = respond(store.newest(), key)
    if (message) store.fold(message)
    store.draw()
    if (action) act(action)
  }

  screen.begin()
  return {
    store,
    fold(message) {
      store.fold(message)
      frames.schedule()
    },
    tell,
    lend: (to) =>
      screen.lend(to, ({ text, isError }) => {
        if (text === undefined) store.send({ kind: 'notice', notice: undefined })
        else tell(text, isError ? 'err' : 'warn')
      }),
    close() {
      frames.stop()
      return screen.close()
    },
  }
}
