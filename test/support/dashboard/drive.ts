/** Test driver: runs the dashboard without a terminal, with key presses by name and frames as lines. */
import { renderToString } from 'ink'
import { createElement } from 'react'
import type { SessionApi } from '../../../src/core/session-api/session-api.ts'
import { type Appearance, appearanceOf } from '../../../src/terminal/dashboard/view/appearance.ts'
import { Screen } from '../../../src/terminal/dashboard/view/dashboard.tsx'
import { querySession } from '../../../src/terminal/dashboard/model/query.ts'
import type { Action } from '../../../src/terminal/dashboard/model/message.ts'
import { initialModel, type Model } from '../../../src/terminal/dashboard/model/model.ts'
import type { DashboardPorts } from '../../../src/terminal/dashboard/effects/ports.ts'
import {
  createModelStore,
  performInto,
  pressKey,
} from '../../../src/terminal/dashboard/runtime/store.ts'
import { createFakeSession, type FakeSession, type FakeSessionOptions } from './fake-session.ts'

export interface DashboardDriver<Face extends SessionApi = FakeSession> {
  readonly session: Face
  readonly press: (...names: readonly string[]) => Promise<void>
  /** Types characters one by one. */
  readonly type: (text: string) => Promise<void>
  /** Takes snapshots until the screen is stable. */
  readonly refresh: () => Promise<void>
  readonly resize: (columns: number, rows: number) => Promise<void>
  readonly model: () => Model
  /** Shows a notice. */
  readonly tell: (text: string) => void
  readonly lines: () => readonly string[]
  readonly text: () => string
  /** The first line that contains a text; empty when none does. */
  readonly line: (text: string) => string
  /** Actions requested of the terminal: quit, suspend. */
  readonly terminalActions: readonly Action[]
}

/** Unicode without escape sequences, so that frames can be compared as text. */
export const plainAppearance: Appearance = appearanceOf({ TERM: 'dumb' }, { glyphs: 'unicode' })

interface ScreenOptions {
  readonly columns?: number
  readonly rows?: number
  readonly appearance?: Appearance
  readonly ports?: DashboardPorts
}

/** A dashboard on a fake session. */
export const driveDashboard = (
  options: ScreenOptions & FakeSessionOptions = {},
): Promise<DashboardDriver> => driveDashboardOn(createFakeSession(options), options)

/** A dashboard on any session. */
export async function driveDashboardOn<Face extends SessionApi>(
  session: Face,
  options: ScreenOptions = {},
): Promise<DashboardDriver<Face>> {
  const { columns = 120, rows = 40, appearance = plainAppearance, ports } = options
  const store = createModelStore(initialModel(columns, rows))
  const terminalActions: Action[] = []
  const refresh = async (): Promise<void> => {
    for (let round = 0; round < 2; round++)
      store.send({ kind: 'snapshot', snapshot: await querySession(session, store.get()) })
  }
  const pressOne = async (key: string): Promise<void> => {
    const text = key === 'space' ? ' ' : key.length === 1 ? key : undefined
    const action = pressKey(store, text === undefined ? { key } : { key, text })
    if (action?.kind === 'quit' || action?.kind === 'suspend') terminalActions.push(action)
    else if (action) await performInto(store, session, action, ports)
    await refresh()
  }
  /** Cache of the last frame: rendering dominates the time of tests. */
  let lastFrame: { readonly model: Model; readonly lines: readonly string[] } | undefined
  const lines = (): readonly string[] => {
    const model = store.get()
    if (lastFrame?.model === model) return lastFrame.lines
    const screen = createElement(Screen, { model, appearance })
    lastFrame = {
      model,
      lines: renderToString(screen, { columns: model.layout.columns }).split('\n'),
    }
    return lastFrame.lines
  }
  await refresh()
  return {
    session,
    async press(...names) {
      for (const name of names) await pressOne(name)
    },
    async type(text) {
      for (const sign of text) await pressOne(sign === ' ' ? 'space' : sign)
    },
    refresh,
    async resize(newColumns, newRows) {
      store.send({ kind: 'resized', columns: newColumns, rows: newRows })
      await refresh()
    },
    model: store.get,
    tell: (text) => store.send({ kind: 'notice', notice: { text, tone: 'err' } }),
    lines,
    text: () => lines().join('\n'),
    line: (text) => lines().find((each) => each.includes(text)) ?? '',
    terminalActions,
  }
}
