import './load-env-file.ts'
import { finish } from './account-database.ts'
import { restoreBackup } from './backup-command.ts'

finish(await restoreBackup(process.argv.slice(2)))
