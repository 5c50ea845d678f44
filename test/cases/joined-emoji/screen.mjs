// The dashboard in an emulator whose terminal draws each sign of a joined emoji in two cells, as most do.
import { createRequire } from 'node:module'
const [, , command, port] = process.argv
const load = createRequire(command)
const { spawn } = load('@lydell/node-pty')
const { Terminal } = load('@xterm/headless')
const [cols, rows] = [100, 24]
const screen = new Terminal({ cols, rows, allowProposedApi: true })
const wcwidth = (sign) => {
  if (sign === 0x200d || sign === 0xfe0f) return 0
  return sign >= 0x1f300 && sign <= 0x1faff ? 2 : 1
}
const charProperties = (sign, before) => {
  const width = wcwidth(sign)
  const isJoined = width === 0 && before !== 0
  return ((isJoined ? (before >> 1) & 3 : width) << 1) | (isJoined ? 1 : 0)
}
screen.unicode.register({ version: 'wide', wcwidth, charProperties })
screen.unicode.activeVersion = 'wide'
const args =
  `up --as pos --merchants merchants.csv --orders-every 300ms -p ${port} --no-mouse`.split(' ')
const program = spawn(process.execPath, [command, ...args], {
  cols,
  rows,
  env: { ...process.env, NO_COLOR: '', TERM: 'xterm-256color', LANG: 'C.UTF-8', CI: '' },
})
program.onData((data) => screen.write(data))
const lines = () =>
  Array.from({ length: rows }, (_, at) => screen.buffer.active.getLine(at).translateToString(true))
const orders = () => lines().filter((line) => /BRL +[\d.]+ +\d+s$/.test(line))
const isFull = () =>
  orders().some((line) => line.includes('Zé')) && orders().some((line) => line.includes('Torcida'))
const pause = () => new Promise((resolve) => setTimeout(resolve, 100))
const waitFor = async (isThere) => {
  for (let turn = 0; turn < 80 && !isThere(); turn++) await pause()
}
await waitFor(() => lines()[0].includes('LIVE'))
program.write('3')
await waitFor(isFull)
console.log(
  orders().some((line) => line.includes('Lanchonete 👩 do Zé 👨 '))
    ? 'first signs'
    : lines().join('\n'),
)
const broken = lines().filter(
  (line) =>
    /Zé|Torcida/.test(line) && !/BRL +[\d.]+ +\d+s$/.test(line) && line.includes('CREATED '),
)
console.log(broken.length, 'rows that are broken')
program.kill('SIGINT')
await new Promise((resolve) => program.onExit(resolve))
process.exit()
