// @module-tag slow
/**
 * The tests that README.md and docs/ print, as their reader would copy them: red for a service that does nothing, that
 * refuses, that is down or never answers; green for a correct one.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import * as library from '../src/sparring/library/index.ts'
import { matchers } from '../src/sparring/library/matchers.ts'
import type { Session } from '../src/core/session-api/session.ts'
import type { SessionOptions } from '../src/core/session/options.ts'
import { createInProcessService } from './support/in-process-service.ts'
import { twoWorkloads } from './support/written-workloads.ts'

expect.extend(matchers)

const root = fileURLToPath(new URL('..', import.meta.url))

/** Blocks of TypeScript that expect something: those are copied as tests. */
const examples = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()].flatMap((page) =>
  Array.from(
    readFileSync(join(root, page), 'utf8').matchAll(/```ts\n([^]*?)\n```/g),
    ([, text = '']) => text,
  )
    .filter((text) => text.includes('expect('))
    .map((text, index) => ({ name: `${page} ${index + 1}`, text })),
)

interface App {
  readonly fetch: (request: Request) => Promise<Response>
  /** As the examples call it, with what a session gives: addresses, how to find them, the clock. */
  readonly usePartner: (
    urls: Session['urls'],
    fetch: Session['fetch'],
    clock: Session['clock'],
  ) => () => Promise<void>
}

const idle = (fetch: App['fetch']): App => ({
  fetch,
  usePartner: () => () => Promise.resolve(),
})

const broken: Readonly<Record<string, () => App>> = {
  'answers 204 to everything and does nothing': () =>
    idle(() => Promise.resolve(new Response(null, { status: 204 }))),
  'answers 200 with an empty object': () => idle(() => Promise.resolve(Response.json({}))),
  'refuses with 500': () => idle(() => Promise.resolve(new Response('no', { status: 500 }))),
  'refuses with 401': () => idle(() => Promise.resolve(new Response('no', { status: 401 }))),
  'knows no path': () => idle(() => Promise.resolve(new Response(null, { status: 404 }))),
  'is down': () => idle(() => Promise.reject(new TypeError('fetch failed'))),
  'never answers': () => idle(() => new Promise(() => {})),
}

function correctApp(): App {
  const service = createInProcessService({ channel: 'both' })
  const known = new Set<Session['urls']>()
  return {
    fetch: service.fetch,
    usePartner(urls, fetch, clock) {
      // The example does so itself.
      if (known.has(urls)) return () => Promise.resolve()
      known.add(urls)
      const started = service.start({ urls, fetch, clock, advance: () => Promise.resolve() })
      return async () => started[Symbol.asyncDispose]()
    },
  }
}

/** A mute service is waited for by the wall clock. */
const hurried = { conduct: { answerTimeout: '20ms' } } as const

async function openConnected(app: App, options: SessionOptions): Promise<Session> {
  const session = await library.openSession({ clock: 'virtual', ...hurried, ...options })
  const stop = app.usePartner(session.urls, session.fetch, session.clock)
  return {
    ...session,
    async [Symbol.asyncDispose]() {
      const stopped = stop()
      await session.advance(0)
      await stopped
      await session.close()
    },
  }
}

const AsyncFunction = (async () => {}).constructor as new (
  ...names: readonly string[]
) => (...values: readonly unknown[]) => Promise<void>

/** Plays an example with this service; rejects as its test would fail. Campaigns play these workloads, or all. */
async function play(text: string, app: App, workloads?: typeof twoWorkloads): Promise<void> {
  let declared: SessionOptions = {}
  const tests: (() => Promise<void>)[] = []
  const declareTest = Object.assign(
    (_name: string, body: (fixtures: { readonly session?: Session }) => Promise<void>) =>
      void tests.push(async () => {
        if (!text.includes('{ session }')) return body({})
        await using session = await openConnected(app, declared)
        await body({ session })
      }),
    { override: (_name: string, options: SessionOptions) => void (declared = options) },
  )
  const names = {
    app,
    expect,
    test: declareTest,
    matchers,
    openSession: (options: SessionOptions) => openConnected(app, options),
    explore: (options: library.ExploreOptions) =>
      library.explore({ ...options, ...hurried, maxRuns: 4, ...(workloads && { workloads }) }),
    certify: (options: library.CertifyOptions) => library.certify({ ...options, ...hurried }),
  }
  const body = text.replaceAll(/^import .*$/gm, '')
  await new AsyncFunction(...Object.keys(names), body)(...Object.values(names))
  for (const each of tests) await each()
}

test('the pages print five such examples', () => {
  expect(examples.map(({ name }) => name)).toEqual([
    'README.md 1',
    'docs/certify.md 1',
    'docs/explore.md 1',
    'docs/library.md 1',
    'docs/library.md 2',
  ])
})

/** A certification gives one that never answers minutes, call by call. */
const isTooLong = (name: string, service: string): boolean =>
  name.startsWith('docs/certify') && service === 'never answers'

/** One that accepts what it is sent is explored by all workloads, as the correct one: in some of them that is enough. */
const workloadsFor = (service: string) => (service.startsWith('answers') ? undefined : twoWorkloads)

test.each(
  examples.flatMap(({ name, text }) =>
    Object.entries(broken)
      .filter(([service]) => !isTooLong(name, service))
      .map(([service, app]) => [name, service, text, app] as const),
  ),
)('the example %s is red for a service that %s', async (_name, service, text, app) => {
  await expect(play(text, app(), workloadsFor(service))).rejects.toThrow(
    /Expected the session to converge|Expected no broken rule|no rule has been exercised|in \d+ runs no rule was exercised|no workload can be played|deeply equal/,
  )
})

test.each(examples.filter(({ name }) => !name.startsWith('docs/certify')))(
  'the example $name is green for a correct service',
  async ({ text }) => {
    await expect(play(text, correctApp())).resolves.toBeUndefined()
  },
)
