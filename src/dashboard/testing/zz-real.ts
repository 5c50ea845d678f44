import { openPty } from '../../testing/terminal.ts'
const cwd = '/work/main'
const [c = '120', r = '40', script = '', ...args] = process.argv.slice(2)
const pty = openPty({
  file: process.execPath,
  args: ['--import', 'tsx', `${cwd}/src/cli/main.ts`, 'up', '--port', '0', ...args],
  columns: Number(c),
  rows: Number(r),
  cwd,
  env: { NODE_ENV: 'production' },
})
const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms))
const t0 = performance.now()
try {
  await pty.until(/LIVE|HOLD|WAITING/)
  console.log('first frame', Math.round(performance.now() - t0))
  for (const step of script.split(' ')) {
    if (/^\d+ms$/.test(step)) await sleep(parseInt(step))
    else if (step === 'show') console.log(pty.rows().join('\n'))
    else
      pty.press(
        step === 'enter'
          ? '\r'
          : step === 'esc'
            ? '\u{1b}'
            : step === 'space'
              ? ' '
              : step === 'tab'
                ? '\t'
                : step,
      )
    await sleep(60)
  }
  pty.press('Q')
  console.log(await Promise.race([pty.exited, sleep(5000)]))
  console.log(pty.text().trim(), pty.modes())
} catch (e) {
  console.log(String(e).slice(0, 4500))
}
await pty.close()
