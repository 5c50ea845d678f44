/**
 * The packed package on the lowest and the newest Node that it may run on: the command, and the library as ESM and
 * CommonJS.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installPackedPackage, type PackedPackage } from '../support/packed-package.ts'
import { toolFolder } from '../tools/load-tool.ts'

let installed: PackedPackage
let folder = ''
let command = ''

beforeAll(() => {
  installed = installPackedPackage()
  folder = installed.folder
  command = join(folder, 'node_modules/sparring/bin/sparring.js')
}, 60_000)

afterAll(() => installed[Symbol.dispose]())

/** The lowest Node of `engines` and the newest major, besides the one that runs the tests. */
const nodes = ['node-lowest', 'node-newest'].map((name) => join(toolFolder(name), 'bin/node'))

const versionOf = (node: string): string =>
  execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()

test('the lowest Node that is tried is the lowest that engines allows', () => {
  const { engines } = JSON.parse(
    readFileSync(join(folder, 'node_modules/sparring/package.json'), 'utf8'),
  ) as {
    engines: { node: string }
  }
  expect(nodes.map(versionOf)[0]).toBe(`v${engines.node.replace('>=', '')}.0`)
})

/** Opens a session, completes an order, and gets a manifest from the msw handlers; printed as one line. */
const libraryStory = `
  async function story({ openSession }, { handlers }, { setupServer }) {
    const session = await openSession({ clock: 'virtual', listen: false })
    await session.createOrder({ type: 'TAKEOUT' })
    await session.settle()
    const { orders } = await session.look({ orders: { limit: 1 } })
    const server = setupServer(...handlers(session))
    server.listen()
    const reply = await fetch(new URL('/.well-known/protocol', session.urls.get('ordering-application')))
    console.log(orders[0].status, reply.status)
    server.close()
    await session.close()
  }`

describe.each(nodes.map((node) => ({ node, version: versionOf(node) })))(
  'on Node $version',
  ({ node }) => {
    const onNode = (...args: readonly string[]) =>
      spawnSync(node, args, { cwd: folder, encoding: 'utf8', timeout: 20_000 })

    test('the packed command starts all counterparts', async () => {
      const session = spawn(node, [command, 'up', '--quiet', '--json', '--port', '0'], {
        cwd: folder,
      })
      const [line] = (await once(session.stdout, 'data')) as [Buffer]
      const { counterparts } = JSON.parse(line.toString()) as {
        counterparts: Record<string, string>
      }
      const url = new URL('/.well-known/protocol', counterparts['ordering-application'])
      expect((await fetch(url)).status).toBe(200)
      session.kill()
      expect(await once(session, 'close')).toEqual([0, null])
    })

    test('the library and its msw handlers are imported as ESM', () => {
      writeFileSync(
        join(folder, 'esm.mjs'),
        `import * as library from 'sparring'
         import * as face from 'sparring/msw'
         import * as msw from 'msw/node'
         ${libraryStory}
         await story(library, face, msw)`,
      )
      const { stdout, stderr } = onNode('esm.mjs')
      expect({ stdout, stderr }).toEqual({ stdout: 'CONCLUDED 200\n', stderr: '' })
    })

    test('the library and its msw handlers are required as CommonJS', () => {
      writeFileSync(
        join(folder, 'common.cjs'),
        `${libraryStory}
         story(require('sparring'), require('sparring/msw'), require('msw/node'))`,
      )
      const { stdout, stderr } = onNode('common.cjs')
      expect({ stdout, stderr }).toEqual({ stdout: 'CONCLUDED 200\n', stderr: '' })
    })
  },
)
