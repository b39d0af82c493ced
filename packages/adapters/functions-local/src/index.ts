export { createLocalFunctions, type LocalFunctionsOptions } from './create-local-functions';
