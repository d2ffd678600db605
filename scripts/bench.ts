import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `npm run bench -- lists`: one of the measurements in bench, under the Node that the project pins. */
const FOLDER = join(import.meta.dirname, '../bench')

/** The files in bench that are commands; what they share has no such line. */
export function benchNames(): string[] {
  const names = readdirSync(FOLDER).map((file) => file.replace(/\.ts$/, ''))
  return names.filter((name) => contentOf(name).includes(`\`npm run bench -- ${name}`))
}

function contentOf(name: string): string {
  return readFileSync(join(FOLDER, `${name}.ts`), 'utf8')
}

function runBench([name, ...rest]: string[]): void {
  const names = benchNames()
  if (name === undefined || !names.includes(name)) {
    console.error(`npm run bench -- NAME, where NAME is one of ${names.join(', ')}`)
    process.exitCode = 1
    return
  }
  const child = spawn(process.execPath, [join(FOLDER, `${name}.ts`), ...rest], { stdio: 'inherit' })
  child.on('close', (code) => (process.exitCode = code ?? 1))
}

if (import.meta.main) runBench(process.argv.slice(2))
