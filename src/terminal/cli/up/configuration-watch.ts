/**
 * Takes changes of the configuration file over into a running session, and says of each whether it has taken effect or needs
 * a restart. A file that is wrong changes nothing.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  changedSettings,
  type ChangedSetting,
} from '../../../core/session-api/configuration/setting-effects.ts'
import type { Configuration } from '../../../core/session-api/configuration/schema.ts'
import { FileWatcher } from '../../../core/runtime/files/watch-files.ts'
import { Problem } from '../../../core/base/problem.ts'
import type { ConfigurationNotice } from '../../../core/session-api/session-api.ts'
import type { PreparedSession } from '../../../core/session/types.ts'
import { settingChangesText } from '../../../core/engine/session/setting-change.ts'

export interface ConfigurationWatch {
  /** The last ones, oldest first. */
  readonly notices: () => readonly ConfigurationNotice[]
  readonly subscribe: (listener: () => void) => () => void
  /** Begins to watch; the files are read once more, since they may have changed since the start. */
  readonly start: () => Disposable
}

export interface ConfigurationWatchOptions {
  readonly session: Pick<PreparedSession, 'configure' | 'look'>
  /** The configuration with which the session was opened. */
  readonly running: Configuration
  /** Reads file and flags as at the start; calls back with the path of every file that is read or looked for. */
  readonly read: (onRead: (path: string) => void) => Promise<Configuration>
  readonly onNotice?: (notice: ConfigurationNotice) => void
  readonly onBug: (error: unknown) => void
}

const maxNotices = 20

const nameOf = ({ path }: ChangedSetting): string => path.join('.')

/** The first problem of a file in one line, and how many there are besides. */
function problemLine({ message }: Problem): string {
  const [first = '', ...more] = message.split('\n')
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`
  return `configuration: ${first}${others} The session goes on with the settings that it has.`
}

/** Settings that need a restart, without those that were announced with the same value. */
function createRestartFilter(): (changed: readonly ChangedSetting[]) => readonly string[] {
  let announced: ReadonlyMap<string, string> = new Map()
  return (changed) => {
    const pending = new Map(
      changed.flatMap((setting) =>
        setting.effect === 'restart'
          ? [[nameOf(setting), JSON.stringify(setting.value) ?? '']]
          : [],
      ),
    )
    const fresh = [...pending].filter(([name, value]) => announced.get(name) !== value)
    announced = pending
    return fresh.map(([name]) => name)
  }
}

const changesLine = (now: readonly ChangedSetting[], restart: readonly string[]): string =>
  `configuration: ${[
    ...(now.length > 0 ? [`${settingChangesText(now)} now`] : []),
    ...(restart.length > 0
      ? [
          `${restart.join(', ')} ${restart.length === 1 ? 'needs' : 'need'} a restart${restart.includes('dialect') ? ', and nothing else is taken over until then' : ''}`,
        ]
      : []),
  ].join('; ')}`

export function createConfigurationWatch(options: ConfigurationWatchOptions): ConfigurationWatch {
  const { session, running, read, onNotice, onBug } = options
  const listeners = new Set<() => void>()
  const freshRestarts = createRestartFilter()
  let notices: readonly ConfigurationNotice[] = []
  let last = 0
  /** What the session was asked to be. */
  let desired = running
  /** The problem that was announced last; undefined while the files can be used. */
  let problem: string | undefined

  async function announce(notice: Omit<ConfigurationNotice, 'seq' | 'at'>): Promise<void> {
    const { info } = await session.look({})
    const whole = { seq: ++last, at: info.clock.now, ...notice }
    notices = [...notices, whole].slice(-maxNotices)
    onNotice?.(whole)
    for (const listener of listeners) listener()
  }

  async function announceProblem(found: Problem): Promise<void> {
    const text = problemLine(found)
    const isNew = text !== problem
    problem = text
    if (isNew) await announce({ text, failed: true })
  }

  /** Options of a dialect cannot be distinguished from settings of the file, so a dialect is not changed in part. */
  const configure = (next: Configuration): Promise<readonly ChangedSetting[]> =>
    isDeepStrictEqual(next.dialect, running.dialect)
      ? session.configure(next)
      : Promise.resolve([{ path: ['dialect'], value: next.dialect, effect: 'restart' }])

  async function takeOver(next: Configuration): Promise<void> {
    const wasWrong = problem !== undefined
    const isChanged = changedSettings(desired, next).length > 0
    const changed = isChanged ? await configure(next) : []
    desired = next
    problem = undefined
    const now = changed.filter(({ effect }) => effect === 'now')
    const restart = isChanged ? freshRestarts(changed) : []
    if (now.length + restart.length > 0)
      await announce({ text: changesLine(now, restart), changed: now.map(nameOf), restart })
    else if (wasWrong)
      await announce({ text: 'configuration: the file can be read again, and changes nothing' })
  }

  return {
    notices: () => notices,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start() {
      /** Files of an unusable configuration stay watched: which files it names is not known as a whole. */
      let watched: ReadonlySet<string> = new Set()
      const reload = async (): Promise<void> => {
        const paths = new Set<string>()
        try {
          await takeOver(await read((path) => paths.add(path)))
          watched = paths
        } catch (error) {
          if (!(error instanceof Problem)) return onBug(error)
          await announceProblem(error)
          watched = new Set([...watched, ...paths])
        }
        files.setPaths(watched)
      }
      const files = new FileWatcher({ paths: [], onChange: reload })
      void reload()
      return { [Symbol.dispose]: () => files.close() }
    },
  }
}
