/** What `npm pack` packs is what runs: the tarball alone, in an empty folder, with its dependencies beside it. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sparring-pack-'))
const modules = join(folder, 'node_modules')

/** Links what npm would have installed, so that nothing is fetched; a dependency that is not declared is not linked. */
function link(name: string): void {
  const scope = name.startsWith('@') ? (name.split('/')[0] ?? '') : ''
  if (scope !== '') mkdirSync(join(modules, scope), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), join(modules, name))
}

beforeAll(() => {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', folder])
  mkdirSync(modules)
  renameSync(join(folder, 'package'), join(modules, 'sparring'))
  const manifest = JSON.parse(
    execFileSync('cat', [join(modules, 'sparring', 'package.json')], { encoding: 'utf8' }),
  ) as { dependencies: Record<string, string> }
  for (const name of Object.keys(manifest.dependencies)) link(name)
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 20_000 })

test('the packed command answers for help', () => {
  const { status, stdout, stderr } = run(join(modules, 'sparring/bin/sparring.js'), '--help')
  expect(stderr).toBe('')
  expect(stdout).toContain('sparring')
  expect(status).toBe(0)
})

test('the packed library opens a session and brings an order to its end', () => {
  writeFileSync(
    join(folder, 'try.mjs'),
    `import { openSession } from 'sparring'
     import { handlers } from 'sparring/msw'
     const session = await openSession({ clock: 'virtual', listen: false })
     await session.createOrder({ type: 'TAKEOUT' })
     await session.settle()
     const { orders } = await session.look({ orders: { limit: 1 } })
     console.log(orders[0].status, handlers(session).length > 10)
     await session.close()`,
  )
  const { stdout, stderr } = run('try.mjs')
  expect(stderr).toBe('')
  expect(stdout.trim()).toBe('CONCLUDED true')
})

test('the package holds no tests and no sources', () => {
  const names = readdirSync(join(modules, 'sparring'), { recursive: true, encoding: 'utf8' })
  expect(names.filter((name) => /\.test\.|(^|\/)src\/|testing\//.test(name))).toEqual([])
})
