/** Configuration files that are edited while a real session runs. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder } from '../../../../test/support/spawn-sparring.ts'
import { prepareSession } from '../../../core/session/session.ts'
import type { PreparedSession } from '../../../core/session/types.ts'
import { readSessionOptions, type SessionFlags } from '../session-options.ts'
import { createConfigurationWatch } from './configuration-watch.ts'

interface Edited extends AsyncDisposable {
  readonly session: PreparedSession
  readonly write: (text: string, name?: string) => void
  readonly path: (name: string) => string
  /** The text of the next notice. */
  readonly next: () => Promise<string>
  /** Notices that were not awaited. */
  readonly rest: () => readonly string[]
}

const quiet = 'clock: virtual\ncapabilities: { indoor: false, logistics: false, customer: false }\n'

/** A session from a configuration file, which is watched. */
async function opened(text: string, flags: SessionFlags = {}): Promise<Edited> {
  const cwd = emptyFolder()
  const path = (name: string): string => join(cwd, name)
  const write = (content: string, name = 'sparring.config.yaml'): void =>
    writeFileSync(path(name), name.endsWith('.yaml') ? `${quiet}${content}` : content)
  write(text)
  const read = (onRead?: (file: string) => void) => readSessionOptions(flags, cwd, onRead)
  const { configuration, input } = await read()
  const session = await prepareSession({ ...input, listen: false, live: true }, configuration)
  await session.begin()
  const texts: string[] = []
  let wake = (): void => undefined
  const watch = createConfigurationWatch({
    session,
    running: configuration,
    read: async (onRead) => (await read(onRead)).configuration,
    onNotice(notice) {
      texts.push(notice.text)
      wake()
    },
    onBug(error) {
      throw error
    },
  })
  const watching = watch.start()
  return {
    session,
    write,
    path,
    async next() {
      while (texts.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return texts.shift() ?? ''
    },
    rest: () => texts,
    async [Symbol.asyncDispose]() {
      watching[Symbol.dispose]()
      await session.close()
    },
  }
}

const goesOn = ' The session goes on with the settings that it has.'

test('what can take effect does, the world stays, and what needs a restart is said, each once', async () => {
  await using edited = await opened('conduct: { emptyPoll: 204 }\n')
  const made = await edited.session.createOrder({ type: 'TAKEOUT' })
  expect(made.ok).toBe(true)
  edited.write('conduct: { emptyPoll: 200 }\nsubject: { url: http://127.0.0.1:1, role: pos }\n')
  expect(await edited.next()).toBe(
    'configuration: conduct.emptyPoll is 200 now; subject.role, subject.url need a restart',
  )
  // The same once more, with a comment; then one change more.
  edited.write(
    'conduct: { emptyPoll: 200 } # so\nsubject: { url: http://127.0.0.1:1, role: pos }\n',
  )
  edited.write(
    'conduct: { emptyPoll: 200 }\nsubject: { url: http://127.0.0.1:1, role: pos }\nfaults: [drop]\n',
  )
  expect(await edited.next()).toBe('configuration: faults is ["drop"] now')
  expect(edited.session.faults.list().map(({ text }) => text)).toEqual(['drop'])
  const { orders } = await edited.session.look({ orders: { limit: 10 } })
  expect(orders).toHaveLength(1)
  expect(edited.rest()).toEqual([])
})

test('a file that is wrong is told in one line and changes nothing, until it is right again', async () => {
  await using edited = await opened('conduct: { emptyPoll: 204 }\n')
  edited.write('conduct: { emptyPoll: 205 }\nseed: x\n')
  expect(await edited.next()).toMatch(
    /^configuration: reading sparring\.config\.yaml:4:7: seed is "x", and it must be a number\. .* \(and 1 more\) The session goes on/,
  )
  edited.write('conduct: { emptyPoll: 20')
  expect(await edited.next()).toMatch(
    /^configuration: reading sparring\.config\.yaml:\d+:\d+: .*goes on/,
  )
  edited.write('conduct: { emptyPoll: 204 }\n')
  expect(await edited.next()).toBe('configuration: the file can be read again, and changes nothing')
  rmSync(edited.path('sparring.config.yaml'))
  edited.write('conduct: { emptyPoll: 200 }\n', 'sparring.config.yaml')
  expect(await edited.next()).toBe('configuration: conduct.emptyPoll is 200 now')
})

test('files of menu and merchants are watched with it, also one that is not there yet', async () => {
  await using edited = await opened('')
  edited.write('menu: menu.csv\n')
  expect(await edited.next()).toBe(
    `configuration: reading menu.csv: there is no such file or directory (ENOENT). Name a path that exists.${goesOn}`,
  )
  edited.write('plu,name,price\nP1,Pizza,10\n', 'menu.csv')
  expect(await edited.next()).toBe('configuration: menu has 1 entry now')
  const made = await edited.session.createOrder({ type: 'TAKEOUT' })
  const { order } = await edited.session.look({ orderId: made.ok ? made.value.orderId : '' })
  expect(JSON.stringify(order?.document)).toContain('"externalCode":"P1"')
  edited.write('plu,name,price\nP1,Pizza,10\nP2,Suco,dear\n', 'menu.csv')
  expect(await edited.next()).toContain('configuration: reading menu.csv:3:9: price: "dear"')
  edited.write('plu,name,price\nP1,Pizza,10\nP2,Suco,7\n', 'menu.new')
  renameSync(edited.path('menu.new'), edited.path('menu.csv'))
  expect(await edited.next()).toBe('configuration: menu has 2 entries now')
})

test('flags win over the file, as at the start', async () => {
  await using edited = await opened('', { channel: 'webhook', 'orders-every': '5s' })
  edited.write(
    'counterparts: { ordering-application: { channel: polling, orders: { every: 1s, limit: 7 } } }\n',
  )
  expect(await edited.next()).toBe(
    'configuration: counterparts.ordering-application.orders.limit is 7 now',
  )
})

test('a dialect is taken as a whole, with the next start', async () => {
  await using edited = await opened('')
  edited.write('dialect: keeta\nconduct: { emptyPoll: 200 }\n')
  expect(await edited.next()).toBe(
    'configuration: dialect needs a restart, and nothing else is taken over until then',
  )
  edited.write('conduct: { emptyPoll: 200 }\n')
  expect(await edited.next()).toBe('configuration: conduct.emptyPoll is 200 now')
})
