import { openPty } from '../../testing/terminal.ts'
const cwd = '/work/main'
const pty = openPty({ file: `${cwd}/node_modules/.bin/node`, args: [`${cwd}/node_modules/.bin/tsx`, `${cwd}/src/dashboard/testing/demo.tsx`], columns: 80, rows: 24, cwd, env: { CI: 'true', NODE_ENV: 'production' } })
const t0 = performance.now()
try {
await pty.until('LIVE')
console.log('first frame', performance.now() - t0)
pty.press('N'); await pty.until('A new order for'); pty.press('t'); await pty.until('TAKEOUT')
console.log(pty.text()); console.log(pty.modes())
pty.press(' '); await pty.until('HOLD')
pty.press('n'); await pty.until('took #'); console.log(pty.text())
pty.resize(120, 40); await pty.until('by force'); console.log(pty.text())
pty.resize(40, 10); await pty.until('60x16'); console.log(pty.text())
pty.resize(20, 4); await new Promise(r=>setTimeout(r,300)); console.log(pty.text())
pty.resize(200, 60); await pty.until('FUTURE'); console.log(pty.text())
pty.press('q'); console.log(await pty.exited); console.log(pty.text().trim()); console.log(pty.modes())
} catch (e) { console.log(String(e)) }
await pty.close()
