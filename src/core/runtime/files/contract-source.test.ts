/** The files of a contract: data of one folder, and nothing of elsewhere, whatever a reference says. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFifo } from '../../../../test/support/special-files.ts'
import { emptyFolder } from '../../../../test/support/spawn-sparring.ts'
import { readContract } from './contract-files.ts'
import { readStoredContract, storeContracts } from './stored-contract.ts'

const documentWith = (reference: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'orders', version: '1' },
    paths: {
      '/orders/{orderId}': {
        get: {
          parameters: [{ name: 'orderId', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: {
              description: 'the order',
              content: { 'application/json': { schema: { $ref: reference } } },
            },
          },
        },
      },
    },
  })

function write(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Reads a document that has this reference, from the folder `project`, beside which there is `other`. */
async function read(reference: string, prepare: (root: string) => void = () => undefined) {
  const root = write(emptyFolder(), {
    'project/api/openapi.json': documentWith(reference),
    'project/api/order.yaml': 'Order:\n  type: object\n',
    'project/parts/order.yaml': 'Order:\n  type: object\n',
    'other/config.json': '{"Order":{"type":"object","default":"s3cret"}}',
  })
  prepare(root)
  const file = join(root, 'project/api/openapi.json')
  return readContract({ file, role: 'ordering-application' }, join(root, 'project')).then(
    ({ source }) => Array.from(source.files.values(), ({ name }) => name),
    (error: unknown) => (error instanceof Error ? error.message : ''),
  )
}

test('references to files beside the document and in the project are followed', async () => {
  expect(await read('./order.yaml#/Order')).toEqual(['api/openapi.json', 'api/order.yaml'])
  expect(await read('order.yaml?v=2#/Order')).toEqual(['api/openapi.json', 'api/order.yaml'])
  expect(await read('../parts/order.yaml#/Order')).toEqual(['api/openapi.json', 'parts/order.yaml'])
  // A link that stays inside, and a mounted volume, where every file is a link.
  const inside = (root: string): void =>
    symlinkSync(join(root, 'project/parts/order.yaml'), join(root, 'project/api/link.yaml'))
  expect(await read('link.yaml#/Order', inside)).toEqual(['api/openapi.json', 'api/link.yaml'])
  const mounted = write(emptyFolder(), {
    '..data/openapi.json': documentWith('order.yaml#/Order'),
    '..data/order.yaml': 'Order:\n  type: object\n',
  })
  for (const name of ['openapi.json', 'order.yaml'])
    symlinkSync(join('..data', name), join(mounted, name))
  const { source } = await readContract({
    file: join(mounted, 'openapi.json'),
    role: 'ordering-application',
  })
  expect(source.files.size).toBe(2)
})

const asItIs = (): void => undefined

test.each<readonly [string, string, (root: string) => void]>([
  ['a folder above', '../../other/config.json#/Order', asItIs],
  ['a folder above, coded', '%2e%2e/../%2e%2e/other/config.json#/Order', asItIs],
  ['a folder above, with reverse slashes', String.raw`..\..\other\config.json#/Order`, asItIs],
  ['an absolute path', '/etc/hosts.json#/a', asItIs],
  ['an absolute URL', 'file:///etc/hosts.json#/a', asItIs],
  ['one that is not there', '/nowhere/at/all.json', asItIs],
  [
    'a link',
    'link.json#/Order',
    (root) => symlinkSync(join(root, 'other/config.json'), join(root, 'project/api/link.json')),
  ],
  [
    'a folder that is a link',
    'linked/config.json#/Order',
    (root) => symlinkSync(join(root, 'other'), join(root, 'project/api/linked')),
  ],
  [
    'a device',
    'zero.json',
    (root) => symlinkSync('/dev/zero', join(root, 'project/api/zero.json')),
  ],
  [
    'a link to nothing',
    'gone.json',
    (root) => symlinkSync('/nowhere.json', join(root, 'project/api/gone.json')),
  ],
])(
  'a reference out of the project is refused with its place: %s',
  async (_, reference, prepare) => {
    const said = await read(reference, prepare)
    expect(said).toMatch(
      /^reading api\/openapi\.json:\d+: the reference to \/\S+ leads out of \S+\/project, /,
    )
    expect(said).toContain('Save it beside this file')
    expect(said).not.toContain('s3cret')
  },
)

test.each([
  ['https://example.com/order.yaml', 'is at another host'],
  ['//example.com/order.yaml', 'is at another host'],
  ['file://example.com/order.yaml', 'is at another host'],
  ['data:application/json,{}', 'is at another host'],
  ['order%2Fyaml.json', 'is no path of a file'],
  ['order%00.json', 'is no path of a file'],
  ['order%ff.json', 'is no path of a file'],
])('nothing is fetched, and what is no path is none: %s', async (reference, said) => {
  expect(await read(reference)).toContain(`"${reference}" ${said}`)
})

test('a document is data: a program that it refers to does not run, whatever its name', async () => {
  for (const name of ['evil.ts', 'evil.mjs', 'evil.cjs', 'evil.js', 'evil', 'evil.json.ts']) {
    let mark = ''
    const said = await read(`./${name}`, (root) => {
      mark = join(root, 'mark')
      const program = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'x')\nexport default { type: 'object' }\n`
      write(root, { [`project/api/${name}`]: program })
    })
    expect(said).toContain('an OpenAPI document is YAML or JSON')
    expect(existsSync(mark)).toBe(false)
  }
  const folder = write(emptyFolder(), { 'openapi.ts': 'export default { openapi: "3.1.0" }\n' })
  await expect(readContract({ file: join(folder, 'openapi.ts') }, folder)).rejects.toThrow(
    'openapi.ts: an OpenAPI document is YAML or JSON, and .ts says neither. Name it .yaml or .json.',
  )
})

test('a pipe is not waited for', async () => {
  const said = await read('pipe.yaml', (root) => {
    makeFifo(join(root, 'project/api/pipe.yaml'))
  })
  expect(said).toContain('it is no plain file, but a device, a pipe or a socket')
})

test.each(['/', homedir()])(
  '%s is no project: references stay beside the document',
  async (cwd) => {
    const root = write(emptyFolder(), {
      'api/openapi.json': documentWith('../order.yaml#/Order'),
      'order.yaml': 'Order:\n  type: object\n',
    })
    await expect(readContract({ file: join(root, 'api/openapi.json') }, cwd)).rejects.toThrow(
      `leads out of ${root}/api,`,
    )
  },
)

test('a session that opens later reads a document by the folder of the command line', async () => {
  const root = write(emptyFolder(), {
    'api/openapi.json': documentWith('../order.yaml#/Order'),
    'order.yaml': 'Order:\n  type: object\n',
  })
  const reference = { file: join(root, 'api/openapi.json'), role: 'ordering-application' } as const
  await expect(readContract(reference)).rejects.toThrow('leads out of')
  const contract = await readContract(reference, root)
  expect((await readContract(reference)).source.files.size).toBe(2)
  // Stored, it holds these two files and no other, and is read again without the disk.
  const { stored, content } = storeContracts([contract], 'contract')
  expect([...content.keys()]).toEqual(['contract/1/api/openapi.json', 'contract/1/order.yaml'])
  const [first] = stored
  if (!first) throw new Error('nothing was stored')
  expect((await readStoredContract(first, content)).source.files.size).toBe(2)
})

test('folders with the names of drives are stored, which have none above them as URLs', async () => {
  const paths = ['contract/1/C:/openapi.json', 'contract/1/D:/order.yaml'] as const
  const content = new Map([
    [paths[0], Buffer.from(documentWith('/D:/order.yaml#/Order'))],
    [paths[1], Buffer.from('Order: {}\n')],
  ])
  const files = paths.map((path) => ({ path, name: path }))
  const contract = await readStoredContract(
    { role: 'ordering-application', root: paths[0], files },
    content,
  )
  expect([...storeContracts([contract], 'contract').content.keys()]).toEqual(paths)
})
