import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Problem } from '../../base/problem.ts'
import { readConfigurationFile } from './configuration-file.ts'
import { parseYamlText } from './source-location.ts'

type Files = Readonly<Record<string, string | Buffer>>

async function read(files: Files, named?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'sparring-lists-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const found = await readConfigurationFile(folder, named)
  return found?.value
}

async function linesOf(files: Files, named?: string): Promise<readonly string[]> {
  const error: unknown = await read(files, named).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Problem)
  return (error as Problem).message.split('\n')
}

const config = 'menu: menu.csv\n'

const menuOf = async (csv: string) =>
  (await read({ 'sparring.config.yaml': config, 'menu.csv': csv }))?.menu

test('a menu is read from CSV, by the names of its columns', async () => {
  expect(
    await menuOf('externalCode,name,price,category\n1001,Margherita,42.90,Pizzas\n1002,Cola,8,\n'),
  ).toEqual([
    { externalCode: '1001', name: 'Margherita', price: '42.90', category: 'Pizzas' },
    { externalCode: '1002', name: 'Cola', price: '8' },
  ])
})

test('CSV as spreadsheets write it: byte order mark, semicolons, decimal commas, quotes, empty lines, other columns', async () => {
  expect(
    await menuOf(
      '\uFEFFPLU;Name;"Price";Stock\r\n0042;"Pizza ""da casa""; grande";42,90;7\r\n;;;\r\n\r\n0043;"two\r\nlines";9,5;\r\n',
    ),
  ).toEqual([
    { externalCode: '0042', name: 'Pizza "da casa"; grande', price: '42,90' },
    { externalCode: '0043', name: 'two\r\nlines', price: '9,5' },
  ])
})

test('JSON and YAML are read too; a code keeps its leading zeros without quotation marks', async () => {
  const json = '[{ "externalCode": 1001, "name": "Cola", "price": 8 }]'
  expect(await read({ 'sparring.config.json': '{"menu": "m.json"}', 'm.json': json })).toEqual({
    menu: [{ externalCode: 1001, name: 'Cola', price: 8 }],
  })
  const yaml = '- { externalCode: 007, name: Cola, price: 8.50 }\n'
  expect(await read({ 'sparring.config.yaml': 'menu: m.yaml\n', 'm.yaml': yaml })).toEqual({
    menu: [{ externalCode: '007', name: 'Cola', price: 8.5 }],
  })
})

test('codes of YAML stay as they are spelled; a price is a number in any spelling', async () => {
  const codes = ['1e3', '0x1F', '0o17', '1.10', '+5', '12345678901234567890', '0b1']
  const yaml = codes.map((code) => `- { externalCode: ${code}, name: A, price: 1e1 }\n`).join('')
  expect(await read({ 'sparring.config.yaml': 'menu: m.yaml\n', 'm.yaml': yaml })).toEqual({
    menu: codes.map((externalCode) => ({ externalCode, name: 'A', price: 10 })),
  })
  const inline = 'menu: [{ externalCode: 1e3, name: A, price: 2.50 }]\nport: 7000\n'
  expect(await read({ 'sparring.config.yaml': inline })).toEqual({
    menu: [{ externalCode: '1e3', name: 'A', price: 2.5 }],
    port: 7000,
  })
  const { value } = parseYamlText('{ 1e3: a, 0x1F: b, 1.10: c, 7: d }')
  expect(value).toEqual({ '1e3': 'a', '0x1F': 'b', '1.10': 'c', '7': 'd' })
})

test('a text that YAML takes for something else is refused with the advice to quote it', async () => {
  const yaml =
    '- { externalCode: a, name: 1e3, price: 1 }\n- { externalCode: b, name: true, price: 1 }\n'
  await expect(read({ 'sparring.config.yaml': 'menu: m.yaml\n', 'm.yaml': yaml })).rejects.toThrow(
    /name is 1000, and it must be a text\. Put it into double quotes, as it is written\.[^]*name is true, and it must be a text\. Put/,
  )
})

test('merchants from CSV have an address, and a menu in a file beside theirs', async () => {
  const value = await read(
    {
      'conf/my.yaml': 'merchants: lists/merchants.csv\n',
      'conf/lists/merchants.csv':
        'id;name;status;menu;street;latitude;longitude\nm-1;Cantina;PAUSED;a.csv;Rua A;-23.5;-46.6\nm-2;Bar;;;;;\n',
      'conf/lists/a.csv': 'plu,name,price\n1,Cola,8\n',
    },
    'conf/my.yaml',
  )
  expect(value).toEqual({
    merchants: [
      {
        id: 'm-1',
        name: 'Cantina',
        status: 'PAUSED',
        menu: [{ externalCode: '1', name: 'Cola', price: '8' }],
        address: { street: 'Rua A', latitude: '-23.5', longitude: '-46.6' },
      },
      { id: 'm-2', name: 'Bar' },
    ],
  })
})

test('all wrong rows of all files are reported at once, with line and column of the cell', async () => {
  expect(
    await linesOf({
      'sparring.config.yaml': 'menu: menu.csv\nmerchants: merchants.json\n',
      'menu.csv':
        'plu,name,price,currency,options\n1,Cola,8 reais,BRL,\n2,,9.999,reais,\n3,Pizza,30,BRL,Size: =3\n',
      'merchants.json':
        '[\n  { "id": "m-1" },\n  { "id": "m-2", "name": "B", "status": "open" }\n]',
    }),
  ).toEqual([
    'reading menu.csv:2:8: price: "8 reais" is no price; write it like 25.90. Correct it and try again.',
    'reading menu.csv:3:3: name is missing, and it must be a text. Correct it and try again.',
    'reading menu.csv:3:4: price: 9.999 has more than two decimals; write it like 25.90. Correct it and try again.',
    'reading menu.csv:3:10: currency: it is no currency; write its three letters, such as BRL. Correct it and try again.',
    'reading menu.csv:4:16: options: an option has no name; write it like Size (1-1): Small; Large=5.00 | Extras (0-2): Bacon=4.50; Egg=2.00. Correct it and try again.',
    'reading merchants.json:2:3: name is missing, and it must be a text. Correct it and try again.',
    'reading merchants.json:3:41: status is "open", and it must be OPEN, CLOSED or PAUSED. Did you mean "OPEN"?',
  ])
})

test('the form of a table is told: a column that is missing, misspelt or there twice, a row that is too long, an open quote', async () => {
  const formOf = async (csv: string) =>
    (await linesOf({ 'sparring.config.yaml': config, 'menu.csv': csv })).join('\n')
  expect(await formOf('plu,nme,price\n1,Cola,8\n')).toMatch(
    /^reading menu.csv:1:1: the first row names no column name. Columns: externalCode \(or plu, sku, code\), name, price, .*\nreading menu.csv:1:5: the column "nme" is not known. Did you mean "name"\?$/,
  )
  expect(await formOf('plu,name,price,code\n1,Cola,8,\n')).toMatch(
    /:1:16: the column externalCode is there twice/,
  )
  expect(await formOf('plu,name,price\n1,Cola,8,50\n')).toBe(
    'reading menu.csv:2:10: the row has 4 cells, and the first row names 3 columns. Put a cell with a comma in it into quotation marks.',
  )
  expect(await formOf('plu,name,price\n1,"Cola,8\n')).toMatch(
    /:2:3: a quotation mark is not closed/,
  )
  expect(await formOf('plu,name,price\n')).toMatch(/menu.csv:1:1: it has no rows/)
})

test('a file that cannot be read is told: missing, of another kind, no list, no UTF-8', async () => {
  const first = async (files: Files) => (await linesOf(files))[0]
  expect(await first({ 'sparring.config.yaml': config })).toMatch(
    /^reading menu.csv: there is no such file/,
  )
  expect(await first({ 'sparring.config.yaml': 'menu: menu.xlsx' })).toBe(
    'reading menu.xlsx: a menu is a CSV, JSON or YAML file, and .xlsx says none of them. Name it .csv, .json or .yaml.',
  )
  expect(await first({ 'sparring.config.yaml': 'menu: m.json', 'm.json': '{"items": []}' })).toBe(
    'reading m.json:1:1: it is no list. Write a list with one object for each entry.',
  )
  const latin = Buffer.from('plu,name,price\n1,Pão,8\n', 'latin1')
  expect(await first({ 'sparring.config.yaml': config, 'menu.csv': latin })).toMatch(/no UTF-8/)
})

test('what does not fit between merchants and items is reported where it stands', async () => {
  const merchants = 'merchants:\n  - { id: m-1, name: Cantina, externalCode: C1 }\n'
  const withMenu = async (csv: string, yaml = merchants) =>
    (await linesOf({ 'sparring.config.yaml': `${yaml}${config}`, 'menu.csv': csv })).join('\n')
  const head = 'plu,name,price,merchant,currency\n'
  expect(await withMenu(`${head}1,Cola,8,C1,\n2,Water,5,C2,\n`)).toBe(
    'reading menu.csv:3:11: no merchant has the id or externalCode "C2". Did you mean "C1"?',
  )
  expect(await withMenu(`${head}1,Cola,8,C1,\n`, '')).toMatch(
    /:2:10: .* no merchants are configured/,
  )
  expect(await withMenu(`${head}1,Cola,8,,BRL\n2,Water,5,,USD\n`)).toMatch(
    /"Water" costs USD, and "Cola" of the same merchant BRL/,
  )
  expect(await withMenu(`${head}1,Cola,8,C1,\n`, `${merchants}  - { id: m-2, name: Bar }\n`)).toBe(
    'reading sparring.config.yaml:3:5: Bar (m-2) sells nothing: every item of menu is for another merchant. Add an item for it, or give it a menu of its own.',
  )
  expect(await withMenu(`${head}1,Cola,8,,\n1,Water,5,,\n`)).toMatch(
    /menu.csv:3:1: .*entry 2 of the list has the externalCode 1 of entry 1, and each needs its own/,
  )
  expect(
    await linesOf({ 'sparring.config.yaml': 'merchants: [{ id: a, name: A, status: CLOSED }]' }),
  ).toEqual([expect.stringMatching(/1:39: no merchant is OPEN/)])
})

test('an inline menu is validated whole: every wrong field of every item', async () => {
  expect(
    (
      await linesOf({
        'sparring.config.yaml':
          'menu:\n  - { externalCode: 1, name: Cola, price: cheap }\n  - { externalCode: 2, nmae: Water, price: 5 }\n',
      })
    ).map((line) => line.replace('reading sparring.config.yaml:', '')),
  ).toEqual([
    '2:43: menu.0.price: "cheap" is no price; write it like 25.90. Correct it and try again.',
    '3:5: menu.1.name is missing, and it must be a text. Correct it and try again.',
    '3:24: "nmae" is not known in menu.1. Did you mean "name"?',
  ])
})
