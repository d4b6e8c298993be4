# Installs Throughline on Windows: downloads the program, checks its SHA-256 sum, puts it into one folder and that into your PATH.
#
#   THROUGHLINE_VERSION      the version, for example 0.1.0 [default: the newest]
#   THROUGHLINE_INSTALL_DIR  where to put it [default: %LOCALAPPDATA%\Programs\throughline]
#   THROUGHLINE_DOWNLOAD     where the files of the release are [default: those of the version]
#
# To remove it: throughline uninstall all, then delete the folder.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$repository = 'https://github.com/throughline-dev/throughline'
$folder = if ($env:THROUGHLINE_INSTALL_DIR) { $env:THROUGHLINE_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA 'Programs\throughline' }
$from = if ($env:THROUGHLINE_DOWNLOAD) { $env:THROUGHLINE_DOWNLOAD }
elseif ($env:THROUGHLINE_VERSION) { "$repository/releases/download/v$($env:THROUGHLINE_VERSION.TrimStart('v'))" }
else { "$repository/releases/latest/download" }

# On ARM, Windows runs the program for x86_64.
if (-not [Environment]::Is64BitOperatingSystem) { throw "throughline: there is no build for 32-bit Windows; build it from source: $repository#readme" }

$name = 'throughline-x86_64-pc-windows-msvc.zip'
$work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $work | Out-Null
try {
    Invoke-WebRequest -UseBasicParsing -Uri "$from/$name" -OutFile "$work\$name"
    Invoke-WebRequest -UseBasicParsing -Uri "$from/SHA256SUMS" -OutFile "$work\SHA256SUMS"
    $line = Get-Content "$work\SHA256SUMS" | Where-Object { $_ -like "*  $name" }
    if (-not $line) { throw "throughline: SHA256SUMS does not name $name; nothing was installed" }
    if ((Get-FileHash -Algorithm SHA256 "$work\$name").Hash -ne $line.Split(' ')[0]) {
        throw "throughline: $name is not what was released (its SHA-256 sum differs); nothing was installed, try again"
    }
    Expand-Archive -Path "$work\$name" -DestinationPath "$work\unpacked"
    New-Item -ItemType Directory -Force -Path $folder | Out-Null
    Copy-Item -Force "$work\unpacked\throughline.exe" (Join-Path $folder 'throughline.exe')
}
finally {
    Remove-Item -Recurse -Force $work
}

$path = [Environment]::GetEnvironmentVariable('Path', 'User')
if (($path -split ';') -notcontains $folder) {
    [Environment]::SetEnvironmentVariable('Path', "$path;$folder".TrimStart(';'), 'User')
    Write-Output "$folder is in your PATH from the next terminal on"
}
Write-Output "installed $(& (Join-Path $folder 'throughline.exe') --version) in $folder"
Write-Output 'see it at work: throughline demo; connect your agent: throughline install claude-code'
