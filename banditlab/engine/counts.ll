; What numba calls at each new and each lost owner of an array, without its atomic counts.
declare void @NRT_MemInfo_call_dtor(ptr)

define void @NRT_incref(ptr %counter) alwaysinline {
  %none = icmp eq ptr %counter, null
  br i1 %none, label %end, label %add
add:
  %old = load i64, ptr %counter
  %new = add i64 %old, 1
  store i64 %new, ptr %counter
  br label %end
end:
  ret void
}

define void @NRT_decref(ptr %counter) alwaysinline {
  %none = icmp eq ptr %counter, null
  br i1 %none, label %end, label %subtract
subtract:
  %old = load i64, ptr %counter
  %new = sub i64 %old, 1
  store i64 %new, ptr %counter
  %last = icmp eq i64 %new, 0
  br i1 %last, label %free, label %end
free:
  call void @NRT_MemInfo_call_dtor(ptr %counter)
  br label %end
end:
  ret void
}
