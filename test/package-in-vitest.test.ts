// @module-tag slow
/**
 * A project that tests with Vitest and has the packed package: every import path is there, and a failing test says what
 * is wrong.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installPackedPackage, type PackedPackage } from './support/packed-package.ts'

let project: PackedPackage
beforeAll(() => {
  project = installPackedPackage()
  for (const name of ['vitest', 'msw']) project.link(name)
}, 60_000)
afterAll(() => project[Symbol.dispose]())

/** Import paths of `exports`; of a pattern those that fit it. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  '.': ['openSession'],
  './jest': [],
  './matchers': ['matchers'],
  './msw': ['handlers'],
  './vitest': ['test'],
  './schemas/*.json': ['default'],
  './package.json': ['default'],
}

const specifierOf = (path: string): string =>
  path.replace(/^\./, 'sparring').replace('*', 'configuration')

/** As a user writes them: `sparring/jest` finds the global expect. */
const importsTest = `import { expect, test } from 'vitest'
import { matchers } from 'sparring/matchers'
const extended = []
globalThis.expect = Object.assign(() => undefined, { extend: (each) => extended.push(each) })
const wanted = ${JSON.stringify(wanted)}
const specifiers = ${JSON.stringify(Object.fromEntries(Object.keys(wanted).map((path) => [path, specifierOf(path)])))}
for (const [path, names] of Object.entries(wanted))
  test('imports ' + path, async () => {
    const options = path.endsWith('.json') ? { with: { type: 'json' } } : undefined
    const module = await import(/* @vite-ignore */ specifiers[path], options)
    expect(Object.keys(module)).toEqual(expect.arrayContaining(names))
  })
test('sparring/jest registers the matchers', async () => {
  await import('sparring/jest')
  expect(extended).toEqual([matchers])
})
`

/** A service that confirms an order which it has not read. */
const failingTest = `import { expect } from 'vitest'
import { test } from 'sparring/vitest'
const subject = () => new Response(null, { status: 204 })
test.override('sparring', {
  as: 'software-service',
  subject: async () => subject(),
  counterparts: { 'ordering-application': { channel: 'webhook' } },
})
async function confirmUnread(session) {
  const made = await session.createOrder({ type: 'TAKEOUT' })
  await session.settle()
  const partner = session.urls.get('ordering-application')
  const post = (path, init) => session.fetch(new Request(partner + path, { method: 'POST', ...init }))
  const reply = await post('/oauth/token', {
    body: 'grant_type=client_credentials&client_id=subject&client_secret=secret',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const { access_token: token } = await reply.json()
  await post('/orders/' + made.value.orderId + '/confirm', { headers: { authorization: 'Bearer ' + token } })
}
test('breaks no rule', async ({ session }) => {
  await confirmUnread(session)
  expect(session).toHaveNoBrokenRules()
})
test('converges', async ({ session }) => {
  await session.createOrder({ type: 'TAKEOUT' })
  await expect(session).toConverge({ within: '5s' })
})
test('is given a session', () => {
  expect({ orders: [] }).toHaveNoBrokenRules()
})
`

function runVitest(name: string, text: string) {
  const { folder } = project
  writeFileSync(join(folder, name), text)
  const args = [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', name, '--root', folder]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 50_000,
    env: { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1', CI: '1' },
  })
  return { status, text: `${stdout}${stderr}` }
}

test('every import path of exports is there, with what it promises', () => {
  const file = join(project.folder, 'node_modules/sparring/package.json')
  const { exports } = JSON.parse(readFileSync(file, 'utf8')) as { exports: object }
  expect(Object.keys(wanted).toSorted()).toEqual(Object.keys(exports).toSorted())
  const { status, text } = runVitest('imports.test.mjs', importsTest)
  expect({ status, text }).toEqual({ status: 0, text: expect.stringContaining('8 passed') })
}, 60_000)

test('a failing test says the rule, what was seen and where, the remedy and the clauses, and how to run it again', () => {
  const { status, text } = runVitest('failing.test.mjs', failingTest)
  expect({ status, text }).toEqual({ status: 1, text: expect.stringContaining('3 failed') })
  // The rule, the finding, an exchange as evidence, the remedy and the clauses.
  expect(text).toMatch(/Error: Expected no broken rule, but \d (?:is|are) broken:\n/)
  expect(text).toMatch(/SE-7 {2}Must read an order .*\n/)
  expect(text).toMatch(/The service confirmed o1 at \S+ without reading it first/)
  expect(text).toMatch(/#\d+ {2}\d\d:\d\d:\d\d\.\d{3} .*POST \/orders\/\S+\/confirm {2}202/)
  expect(text).toMatch(/fix: Call GET /)
  expect(text).toMatch(/clauses: .*ORD-FLO-03/)
  expect(text).toMatch(
    /sparring: seed 42\. Again: SPARRING_SEED=42 npx vitest run 'failing\.test\.mjs' -t 'breaks no rule'/,
  )
  expect(text).toMatch(
    /Expected the session to converge within 5s of its time, but it has not:\n +- CV-1 is open: Must bring /,
  )
  expect(text).toContain('checking with toHaveNoBrokenRules: it was given a value of type object.')
  expect(text).not.toContain('[object Object]')
}, 60_000)
